import { Bottleneck } from './bottleneck';

export default Bottleneck;
