import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { systemRandom } from '../../base/random.ts'
import { adminToken } from './kept-secret.ts'
import { ServiceAccountKeyring } from './service-account-keyring.ts'

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'tenant-identity-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return join(made, 'data')
}

it('makes the token at the first start and reads it at the next', async () => {
  const data = directory()
  const first = await adminToken(data, systemRandom)
  const second = await adminToken(data, systemRandom)
  expect(first).toMatchObject({ isNew: true, value: expect.stringMatching(/^[\w-]{43}$/) })
  expect(second).toEqual({ ...first, isNew: false })
  expect(statSync(first.file).mode & 0o777).toBe(0o600)
  expect(readdirSync(data)).toEqual(['admin.key'])
})

it('gives servers that start at the same time the same secrets, new to one of them', async () => {
  const data = directory()
  const tokens = await Promise.all([1, 2, 3].map(() => adminToken(data, systemRandom)))
  expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
  expect(tokens.filter(({ isNew }) => isNew)).toHaveLength(1)
  const keys = await Promise.all([1, 2].map(() => ServiceAccountKeyring.open(data, systemClock)))
  expect(new Set(keys.map(({ signing }) => signing.verifying.id)).size).toBe(1)
})
