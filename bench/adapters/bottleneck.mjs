import Bottleneck from 'bottleneck';
import { bottleneckFamily } from './bottleneck-family.mjs';

export default bottleneckFamily('bottleneck', () => Bottleneck);
