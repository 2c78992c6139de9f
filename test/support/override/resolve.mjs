const NAME = /^bottleneck(?=\/|$)/;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (!NAME.test(specifier)) return nextResolve(specifier, context);
  return nextResolve(specifier.replace(NAME, 'rebottle'), { ...context, parentURL: import.meta.url });
}
