import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkLicense } from '../../src/auth/license/check.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readEd25519PublicKey } from '../../src/base/keys/ed25519.ts'
import { developmentLicense } from '../../src/cli/license/development-license.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-license-'))
afterAll(() => rmSync(directory, { recursive: true }))
const issuerFile = join(directory, 'issuer.pem')

async function license(...args: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const exitCode = await runWatchedCli(['license', ...args], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env: {},
  })
  return { exitCode, stdout, stderr }
}

/** A license in a file, and the public key of its issuer. */
async function issued(...args: readonly string[]) {
  const issuer = (await license('issuer', '--key', issuerFile, '--create')).stdout.trim()
  const { stdout } = await license('issue', '--key', issuerFile, '--to', 'Example Ltd', ...args)
  const file = join(directory, 'license.jwt')
  writeFileSync(file, stdout)
  return { issuer, file, document: stdout }
}

describe('tenant license', () => {
  it('creates an issuer once, readable only by its owner', async () => {
    const first = await license('issuer', '--key', issuerFile, '--create')
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await license('issuer', '--key', issuerFile, '--create')).toEqual(first)
    expect(statSync(issuerFile).mode & 0o777).toBe(0o600)
  })

  it('issues a license that show can read', async () => {
    const { issuer, file } = await issued(
      '--feature',
      'platform-link',
      '--virtual-clusters',
      '3',
      '--expire-after',
      '52w',
    )
    const { exitCode, stdout } = await license('show', file, '--issuer', issuer, '-o', 'json')
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      state: 'valid',
      issuedTo: 'Example Ltd',
      features: ['platform-link'],
      limits: { virtualClusters: 3 },
      expiresAt: expect.any(String),
    })
  })

  it('includes everything, without limits or an end, by default', async () => {
    const { issuer, file } = await issued()
    const { stdout } = await license('show', file, '--license-issuer', issuer)
    expect(stdout).toMatch(/^State +valid$/m)
    expect(stdout).toMatch(/^Features +sync-patches, platform-link$/m)
    expect(stdout).toMatch(/^Virtual clusters +no limit$/m)
    expect(stdout).toMatch(/^Expires +never$/m)
  })

  it('shows a license without the key of its issuer, and reports that it did not check', async () => {
    const { file } = await issued()
    expect(await license('show', file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('not checked') })
  })

  it('refuses a license of another issuer, and invalid text', async () => {
    const { file } = await issued()
    const other = (await license('issuer', '--key', join(directory, 'other.pem'), '--create')).stdout.trim()
    expect(await license('show', file, '--license-issuer', other)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('signed by an issuer other than the one known here'),
    })
    expect(await license('show', issuerFile)).toMatchObject({
      exitCode: 1,
      stderr: `error: ${issuerFile} is not a license\n`,
    })
  })

  it.each<[string, readonly string[], number, string]>([
    ['an unknown feature', ['issue', '--key', issuerFile, '--to', 'x', '--feature', 'all'], 2, 'The features are'],
    ['an invalid number', ['issue', '--key', issuerFile, '--to', 'x', '--virtual-clusters', '-1'], 2, 'a number'],
    ['a file without a key', ['issue', '--key', '/dev/null', '--to', 'x'], 1, 'it is not a private Ed25519 key in PEM'],
    ['a missing file', ['issuer', '--key', join(directory, 'none.pem')], 1, 'there is no such file'],
    [
      'an invalid issuer',
      ['show', issuerFile, '--license-issuer', 'x'],
      1,
      'cannot use --license-issuer: it is not a public',
    ],
  ])('says what is wrong with %s', async (_name, args, exitCode, message) => {
    await issued()
    const result = await license(...args)
    expect(result).toMatchObject({ exitCode, stderr: expect.stringContaining(message) })
  })
})

it('a machine that runs everything has a full license from a persistent issuer', async () => {
  const [first, second] = [
    await developmentLicense(directory, systemClock),
    await developmentLicense(directory, systemClock),
  ]
  expect(second.issuerKey).toBe(first.issuerKey)
  expect(await checkLicense(first.document, readEd25519PublicKey(second.issuerKey), systemClock.now())).toMatchObject({
    state: 'valid',
    license: { features: ['sync-patches', 'platform-link'], limits: {} },
  })
})

it('that license is valid at once when the clock, which was ahead by hours, is corrected', async () => {
  const ahead = { now: () => systemClock.now() + 14 * 3_600_000 }
  const { document, issuerKey } = await developmentLicense(directory, ahead)
  const checked = await checkLicense(document, readEd25519PublicKey(issuerKey), systemClock.now())
  expect(checked).toMatchObject({ state: 'valid' })
})
