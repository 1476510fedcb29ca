import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, transportSecurity } from './security-headers.ts'

describe('the policy of a page', () => {
  it('runs only scripts of its own folder', () => {
    const policy = contentSecurityPolicy('n', 'platform.example:8443')
    expect(policy).toContain('script-src https://platform.example:8443/assets/;')
    expect(policy).toContain("style-src https://platform.example:8443/assets/ 'nonce-n';")
    expect(policy).not.toMatch(/script-src[^;]*('self'|\*|unsafe)/)
  })

  it.each(['a; script-src *', 'a b', "x'unsafe-inline'", '*', 'a/../b', '', 'a,b', '*.example'])(
    'accepts nothing from an invalid host: %j',
    (host) => {
      expect(contentSecurityPolicy('n', host)).toContain("script-src 'none';")
    },
  )

  it.each(['127.0.0.1:8443', '[::1]:8443', 'platform.internal'])('accepts a valid host: %j', (host) => {
    expect(contentSecurityPolicy('n', host)).toContain(`script-src https://${host}/assets/;`)
  })
})

describe('a browser is told to stay with HTTPS', () => {
  it.each([
    ['platform.example', true],
    ['platform.example:8443', true],
    ['10.0.0.1:8443', true],
    ['localhost:8443', false],
    ['a.localhost', false],
    ['127.0.0.1:8443', false],
    ['127.8.9.1', false],
    ['[::1]:8443', false],
    ['', false],
  ])('at %j: %j', (host, isTold) => {
    expect(transportSecurity(host).length > 0).toBe(isTold)
  })
})
