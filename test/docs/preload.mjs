/** For the programs of the documentation: every server but those on this machine answers 200 and `{}` at once. */
const realFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return url.hostname === '127.0.0.1' ? realFetch(input, init) : new Response('{}', { status: 200 });
};
