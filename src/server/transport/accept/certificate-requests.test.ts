import { expect, it } from 'vitest'
import { CertificateRequests } from './certificate-requests.ts'

function requests() {
  const clock = { nowMs: 0, now: () => clock.nowMs }
  return { clock, certificates: new CertificateRequests(clock) }
}

it('a network that sent a long invalid chain is not asked for a while, and others are', () => {
  const { clock, certificates } = requests()
  certificates.wasInVain('10.0.0.1', 16 * 1024)
  expect(certificates.isAsked('10.0.0.1')).toBe(true)
  certificates.wasInVain('10.0.0.1', 16 * 1024 + 1)
  expect(['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2'].map((each) => certificates.isAsked(each))).toEqual([
    false,
    false,
    true,
  ])
  clock.nowMs = 10 * 60_000
  expect(certificates.isAsked('10.0.0.1')).toBe(true)
})

it('no client is asked while many networks send long chains', () => {
  const { clock, certificates } = requests()
  for (let network = 0; network < 10; network++) certificates.wasInVain(`10.0.0.${network}`, 100_000)
  expect(certificates.isAsked('10.0.1.1')).toBe(false)
  clock.nowMs = 10 * 60_000
  expect(certificates.isAsked('10.0.1.1')).toBe(true)
})
