'use strict';

const net = require('node:net');

/**
 * Ports for servers come from below the kernel's range of outgoing ports (32768 and up on Linux). Inside that range a
 * client that keeps reconnecting to a stopped server on loopback can be given the server's own port as its source
 * port, connects to itself, and so blocks the port for the server's restart. A cluster bus lies 10000 above its node.
 */
const FIRST_PORT = 10_000;
const LAST_PORT = 21_999;
const BUS_OFFSET = 10_000;

const handedOut = new Set();

/** @returns {Promise<boolean>} whether this port can be bound on loopback now */
function canBind(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that is free on loopback, with a free port BUS_OFFSET above it; never handed out twice by one process. */
async function freePort() {
  for (let attempt = 0; attempt < 500; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (handedOut.has(port)) continue;
    if ((await canBind(port)) && (await canBind(port + BUS_OFFSET))) {
      handedOut.add(port);
      return port;
    }
  }
  throw new Error(`no free port found between ${FIRST_PORT} and ${LAST_PORT}`);
}

module.exports = { freePort, canBind };
