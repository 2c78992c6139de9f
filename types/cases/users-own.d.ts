// A user's own declarations, made because Bottleneck had none.
declare module 'rebottle/light.js' {
  import Bottleneck from 'rebottle';
  export default class Light extends Bottleneck {
    declaredByTheUser: true;
  }
}
declare module 'rebottle/light' {
  const Light: { new (): { declaredByTheUser: true } };
  export default Light;
}
