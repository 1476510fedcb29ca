import type { SecureServerOptions } from 'node:http2'
import { DEFAULT_CIPHERS } from 'node:tls'
import type { TlsFiles } from '../contract.ts'
import type { Limits } from '../limits.ts'

/** 128 bits are as safe as 256 here and a third faster, which is noticeable for long lists. */
const fastCiphersFirst = `TLS_AES_128_GCM_SHA256:${DEFAULT_CIPHERS}`

/** A connection with more invalid frames is closed. */
const maxInvalidFrames = 100

/**
 * In megabytes, and in effect unlimited: Node does not subtract what a stream still had to send when it was reset, so a
 * client that cancels some hundred requests would be refused forever. The memory of a connection is limited by the
 * number of its streams, by their windows, and by writing answers in parts.
 */
const maxSessionMemory = 1_000_000

/** Room for headers beyond the limit, so that the client gets an error that explains the problem. */
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
 * Properties that Node reads from the server when an HTTP/1.1 connection starts; it does not accept them as options of
 * an HTTP/2 server.
 */
export function http1Properties(limits: Limits) {
  const { headersTimeoutMs, bodyTimeoutMs, keepAliveTimeoutMs, maxHeaderBytes, maxHeaders } = limits
  return {
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    // Node silently drops what is beyond: with one more than allowed, the request is known to be refused, and the rest
    // of its headers takes no time.
    maxHeadersCount: maxHeaders + 1,
    insecureHTTPParser: false,
    httpAllowHalfOpen: true,
  }
}

/** The limit of a connection without a known caller. */
export function streamsAtFirst({ maxStreamsPerConnection, maxStreamsOfStrangers }: Limits): number {
  return Math.min(maxStreamsPerConnection, maxStreamsOfStrangers)
}
