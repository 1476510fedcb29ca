import { describe, expect, it } from 'vitest'
import { passedAnswerHeaders, passedUpgradeHeaders, workloadAnswerHeaders } from './answer-headers.ts'

const untrusted = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ...['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'same-origin'],
]

describe('headers of an answer', () => {
  it('cannot set cookies, redirect, or be a page of the platform', () => {
    const passed = passedAnswerHeaders([
      ...['content-type', 'text/html', 'set-cookie', 'a=b', 'location', 'https://elsewhere', 'content-length', '3'],
      ...['access-control-allow-origin', '*', 'content-security-policy', 'default-src *', 'warning', '299 - "x"'],
    ])
    expect(passed).toEqual([
      ...['Content-Type', 'application/octet-stream', 'Cache-Control', 'no-cache, private'],
      ...['Content-Length', '3', 'Warning', '299 - "x"', ...untrusted],
    ])
  })

  it('of a program have its own type, and do not speak for a server', () => {
    const passed = workloadAnswerHeaders([
      ...['content-type', 'text/html', 'set-cookie', 'a=b', 'location', '/elsewhere', 'www-authenticate', 'Basic'],
      ...['warning', '299 - "x"', 'x-kubernetes-pf-flowschema-uid', 'u', 'content-range', 'bytes 0-1/9'],
      ...['refresh', '0; url=/elsewhere', 'access-control-allow-origin', '*', 'service-worker-allowed', '/'],
    ])
    expect(passed).toEqual([
      ...['Content-Type', 'text/html', 'Cache-Control', 'no-cache, private', 'Content-Range', 'bytes 0-1/9'],
      ...untrusted,
    ])
    expect(workloadAnswerHeaders(['content-type', 'a/b', 'content-type', 'c/d'])).toContain('application/octet-stream')
  })

  it('repeat where a header may repeat', () => {
    expect(passedAnswerHeaders(['warning', 'a', 'warning', 'b'])).toEqual([
      ...['Cache-Control', 'no-cache, private', 'Warning', 'a', 'Warning', 'b', ...untrusted],
    ])
  })

  it('that switches to another protocol are those of the protocol', () => {
    expect(
      passedUpgradeHeaders(['sec-websocket-accept', 'x', 'set-cookie', 'a=b', 'x-stream-protocol-version', 'v4']),
    ).toEqual(['Sec-WebSocket-Accept', 'x', 'X-Stream-Protocol-Version', 'v4'])
  })
})
