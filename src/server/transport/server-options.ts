import type { SecureServerOptions } from 'node:http2'
import { DEFAULT_CIPHERS } from 'node:tls'
import type { TlsFiles } from '../contract.ts'
import type { Limits } from '../limits.ts'

/** 128 bits are as safe as 256 here and a third faster, which long lists show. */
const fastCiphersFirst = `TLS_AES_128_GCM_SHA256:${DEFAULT_CIPHERS}`

/** More frames than this that make no sense, and the connection goes. */
const maxInvalidFrames = 100

/**
 * In megabytes, and as good as none: Node forgets to take off what a stream had still to send when it was reset, so that a
 * client that takes back some hundred requests would be refused for ever. What a connection can hold is limited by the number of its
 * streams, by their windows, and by answers that are written part by part.
 */
const maxSessionMemory = 1_000_000

/** Room for headers beyond the limit, so that a request is told what is wrong with it. */
const headerLeeway = 4

export function serverOptions(tls: TlsFiles, limits: Limits): SecureServerOptions {
  return {
    allowHTTP1: true,
    key: tls.key,
    cert: tls.cert,
    ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false }),
    minVersion: 'TLSv1.2',
    ciphers: fastCiphersFirst,
    handshakeTimeout: limits.handshakeTimeoutMs,
    maxSessionMemory,
    maxSessionInvalidFrames: maxInvalidFrames,
    maxHeaderListPairs: headerLeeway * limits.maxHeaders,
    settings: { maxConcurrentStreams: streamsAtFirst(limits), maxHeaderListSize: limits.maxHeaderBytes },
    peerMaxConcurrentStreams: 0,
  }
}

/**
 * What Node reads off the server when an HTTP/1.1 connection starts; it takes none of it as an option of an HTTP/2 server.
 * Headers are not counted by Node: it would drop those beyond a number, without a word.
 */
export function http1Properties({ headersTimeoutMs, bodyTimeoutMs, keepAliveTimeoutMs, maxHeaderBytes }: Limits) {
  return {
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    maxHeadersCount: 0,
    insecureHTTPParser: false,
    httpAllowHalfOpen: true,
  }
}

/** Of a connection on which no caller is known yet. */
export function streamsAtFirst({ maxStreamsPerConnection, maxStreamsOfStrangers }: Limits): number {
  return Math.min(maxStreamsPerConnection, maxStreamsOfStrangers)
}
