import { describe, expect, it } from 'vitest'
import { forbiddenPath, notFound, tooManyRequests, unauthorized } from '../../api/error.ts'
import { ConnectionError, UntrustedCertificate } from '../../client/connection/connection-error.ts'
import { distrustText } from '../../client/connection/distrust-text.ts'
import type { Distrust } from '../../client/connection/trust.ts'
import { explained, type FailureContext } from './failure-text.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')
const context: FailureContext = { url: 'https://p.example', nowMs, serverNowMs: nowMs, env: {} }
const secret = 'a-secret-that-is-never-shown'

function told(error: unknown, more: Partial<FailureContext> = {}): string {
  const result = explained(error, { ...context, ...more }, secret)
  return result instanceof Error ? result.message : String(result)
}

function refused(reason: string) {
  return unauthorized('the access key is not good', { causes: [{ reason, message: '' }] })
}

function untrusted(distrust: Distrust) {
  const certificate = {
    fingerprint: 'SHA256:NEW',
    subject: 'p',
    issuer: 'Some Proxy',
    names: ['other.example'],
    validFrom: '2026-01-01T00:00:00Z',
    validTo: '2026-02-01T00:00:00Z',
  }
  return new UntrustedCertificate(distrustText(context.url, certificate, distrust), certificate, distrust)
}

describe('a failure', () => {
  it.each([
    ['KeyDisabled', 'keys enable'],
    ['KeyExpired', 'Log in again: tenant platform login https://p.example'],
    ['OwnerLocked', 'unlock its owner'],
  ])('of a key that is refused with %s names the cause and what to do', (cause, hint) => {
    const text = told(refused(cause))
    expect(text).toContain(`https://p.example refused the access key: the access key is not good (${cause})`)
    expect(text).toContain(hint)
    expect(text).not.toMatch(/\.$/)
  })

  it('of a project that does not exist names it', () => {
    expect(told(notFound({ group: '', plural: 'namespaces' }, 'p-shop'))).toBe('there is no project shop')
    expect(told(notFound({ group: '', plural: 'namespaces' }, 'shop'))).toBe('namespaces "shop" not found')
  })

  it('to sign in without a key does not speak of one', () => {
    const result = explained(unauthorized('the code is too old: sign in again'), context, '')
    expect(result).toEqual(new Error('the code is too old: sign in again'))
  })

  it('of an unknown key does not guess at a cause', () => {
    expect(told(unauthorized())).toContain('refused the access key: Unauthorized\nThe platform does not know it: ')
  })

  it.each([
    [3 * 3_600_000, 'The clock of this machine is 3h ahead of that of the platform.'],
    [-3_600_000, 'The clock of this machine is 60m behind that of the platform.'],
  ])('of an expired key names clocks that are %i ms apart', (skewMs, text) => {
    expect(told(refused('KeyExpired'), { serverNowMs: nowMs - skewMs })).toContain(text)
    expect(told(refused('KeyExpired'))).not.toContain('clock')
  })

  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'issued by "Some Proxy", an unknown authority'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'which vouches only for itself'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for other.example'],
    ['CERT_HAS_EXPIRED', 'valid until 2026-02-01T00:00:00Z'],
    ['CERT_NOT_YET_VALID', 'valid from 2026-01-01T00:00:00Z on'],
    ['SOMETHING_ELSE', 'SOMETHING_ELSE'],
  ])('of a certificate with %s says what is wrong and what to do', (problem, words) => {
    const text = told(untrusted({ reason: 'not-vouched-for', problem }))
    expect(text).toContain(words)
    expect(text).toContain('--ca FILE')
    expect(text).toContain('--trust-fingerprint SHA256:NEW')
    expect(text.includes('The clock of this machine says 2026-11-15T12:00:00Z')).toBe(/EXPIRED|YET/.test(problem))
  })

  it('of a certificate that changed says so, with both fingerprints', () => {
    const text = told(untrusted({ reason: 'changed', expected: 'SHA256:OLD' }))
    expect(text).toContain('is not the one that was trusted: expected SHA256:OLD, but it shows SHA256:NEW')
    expect(text).toContain('The connection may be intercepted; nothing was sent.')
  })

  it('of the network is not one of the key, and names the proxy that was used', () => {
    const env = { https_proxy: 'http://me:secret@proxy:3128' }
    const text = told(new ConnectionError('cannot reach it'), { env })
    expect(text).toMatch(/^cannot reach it\nThe environment names the proxy proxy:3128 for it; /)
    expect(told(new ConnectionError('cannot reach it'), { env: { ...env, NO_PROXY: '*' } })).toBe('cannot reach it')
    expect(text).not.toContain('key')
    expect(told(new ConnectionError('cannot reach it'))).toBe('cannot reach it')
  })

  it('uses the message of the platform in other cases', () => {
    expect(told(forbiddenPath('you may not'))).toBe('you may not')
    expect(told(tooManyRequests('too many attempts', 7))).toBe('too many attempts\nTry again in 7 s.')
  })

  it('never shows the key, whatever the server says', () => {
    expect(told(forbiddenPath(`go away, ${secret}`))).toBe('go away, [hidden]')
  })

  it('that is a bug is not translated', () => {
    const defect = new TypeError('x is not a function')
    expect(explained(defect, context, secret)).toBe(defect)
  })
})
