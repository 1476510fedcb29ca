import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dial, proveToBe, refusedFor, registerAs } from '../../link/claims.ts'
import { tenantKey } from '../../link/support.ts'
import { loggedIn } from './logged-in.ts'

const here = loggedIn()
const { platform, loginAs } = here
let made = 0

/** A virtual cluster that has proven who it is, and the key that it links with. */
async function newCluster() {
  made += 1
  const name = `dev-${made}`
  const token = await tenantKey(here.server, `key-of-${name}`)
  return { name, token, proof: await proveToBe(here.server, { token, name, namespace: 'team-a' }) }
}

describe('reissue', () => {
  beforeEach(async () => {
    await loginAs('admin')
  })

  it('lets a virtual cluster fetch a new proof, for 15 minutes by default', async () => {
    const { name, token, proof } = await newCluster()
    const { exitCode, stdout, stderr } = await platform(['reissue', name, '--project', 'default'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toMatch(new RegExp(`The proof of ${name} of project default is void.*until \\d{4}-.*Z`))
    expect(refusedFor(await dial(here.server, { token, name, proof }))).toBe('ProofWrong')
    const { body } = await registerAs(here.server, { token, name })
    expect((await dial(here.server, { token, name, proof: body.status.proof })).status).toBe(101)
  })

  it('expires after the given time', async () => {
    const { name, token } = await newCluster()
    await platform(['reissue', name, '--project', 'default', '--for', '1h'])
    here.advance(3_601_000)
    expect(refusedFor(await registerAs(here.server, { token, name }))).toBe('ProofMissing')
  })

  it.each(['yaml', 'json'])('prints the Secret for the host in %s, and leaves no connection open', async (format) => {
    const { name, token } = await newCluster()
    const { exitCode, stdout, stderr } = await platform(['reissue', name, '--project', 'default', '-o', format])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('shown once')
    const secret = parse(stdout)
    expect(secret).toMatchObject({
      kind: 'Secret',
      metadata: {
        name: `tenant-${name}-identity`,
        namespace: 'team-a',
        labels: { 'app.kubernetes.io/instance': name },
      },
    })
    expect(refusedFor(await registerAs(here.server, { token, name }))).toBe('ProofMissing')
    const proof = Buffer.from(secret.data.proof, 'base64').toString()
    expect((await dial(here.server, { token, name, proof })).status).toBe(101)
  })

  it('requires an administrator and an existing virtual cluster', async () => {
    const { name } = await newCluster()
    expect(await platform(['reissue', 'absent', '--project', 'default'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no virtual cluster absent in project default'),
    })
    await loginAs('ada')
    expect((await platform(['reissue', name, '--project', 'default'])).exitCode).toBe(1)
  })

  it('has help with examples, and refuses invalid names and durations', async () => {
    const { exitCode, stdout } = await platform(['reissue', '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('tenant platform reissue dev --project shop -o yaml | kubectl')
    expect((await platform(['reissue', 'Dev'])).exitCode).toBe(2)
    expect((await platform(['reissue', 'dev', '--for', 'ever'])).exitCode).toBe(2)
  })
})
