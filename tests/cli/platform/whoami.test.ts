import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { management, userNamed } from '../../platform/platform.ts'
import { fieldsOf, loggedIn } from './logged-in.ts'

const here = loggedIn()
const { keys, loginAs, loginWith } = here

describe('whoami', () => {
  it('shows the user, the key, its scope and its end', async () => {
    await loginAs('ada', { ttl: 3_600 })
    const { exitCode, stdout } = await here.platform(['whoami'])
    expect(exitCode).toBe(0)
    expect(fieldsOf(stdout)).toEqual({
      '': '',
      Platform: `p (${here.server.server.url})`,
      User: 'ada',
      Teams: 'web',
      Groups: expect.stringContaining('system:authenticated'),
      Key: expect.stringMatching(/^key-\d+-ada \([0-9A-Za-z]{12}\)$/),
      Scope: 'all that its owner may do',
      Expires: expect.stringMatching(/^in (?:59|60)m(?:\d+s)? \(/),
    })
  })

  it('works with a key that has almost no rights', async () => {
    await loginAs('ada', { ttl: 3_600, scope: { virtualClusters: [{ project: 'shop', virtualCluster: 'v' }] } })
    const shown = fieldsOf((await here.platform(['whoami'])).stdout)
    expect(shown).toMatchObject({ User: 'ada', Scope: 'virtual cluster v of project shop' })
    expect(shown.Expires).toMatch(/^in (?:59|60)m/)
  })

  it('has an output for scripts', async () => {
    await loginAs('ada')
    expect((await here.platform(['whoami', '-o', 'name'])).stdout).toBe('ada\n')
    const shape = { platform: { name: 'p', domain: 'platform.internal' }, user: { name: 'ada', teams: ['web'] } }
    expect(JSON.parse((await here.platform(['whoami', '-o', 'json'])).stdout)).toMatchObject(shape)
    expect(parse((await here.platform(['whoami', '-o', 'yaml'])).stdout)).toMatchObject(shape)
  })

  it('shows the administrator, who has no access key', async () => {
    await loginWith('admin-token')
    expect(fieldsOf((await here.platform(['whoami'])).stdout)).toMatchObject({
      User: 'admin',
      Key: 'not an access key',
    })
  })
})

describe('--help', () => {
  it.each([
    ['login'],
    ['logout'],
    ['whoami'],
    ['list'],
    ['use'],
    ...['create', 'list', 'get', 'rotate', 'disable', 'enable', 'delete', 'explain', 'advise', 'secrets'].map(
      (verb) => ['keys', verb],
    ),
  ])('of %s %s has examples', async (...command) => {
    const { exitCode, stdout } = await here.platform([...command.filter((word) => word !== undefined), '--help'])
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Examples:\n  ')])
  })

  it('reports a missing subcommand', async () => {
    expect(await keys()).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Usage: tenant platform keys'),
    })
  })
})

/** Last, because it advances the clock. */
describe('a key that the platform refuses', () => {
  async function refusal() {
    const { exitCode, stdout, stderr } = await keys('list')
    expect([exitCode, stdout]).toEqual([1, ''])
    return stderr
  }

  it('is reported as disabled', async () => {
    await loginAs('ada')
    await keys('disable', await here.ownKey())
    expect(await refusal()).toContain(
      `${here.server.server.url} refused the access key: the access key is disabled (KeyDisabled)`,
    )
  })

  it('is reported to have a locked owner', async () => {
    await here.server.must('POST', `${management}/users`, userNamed('dora'))
    await loginAs('dora')
    const dora = await here.server.must('GET', `${management}/users/dora`)
    await here.server.must('PUT', `${management}/users/dora`, { ...dora, spec: { ...dora.spec, disabled: true } })
    expect(await refusal()).toContain('the owner of the access key is locked (OwnerLocked)')
  })

  it('is reported as unknown if the platform never issued it', async () => {
    const args = ['login', here.server.server.url, '--access-key-stdin', '--ca', here.caFile]
    const { exitCode, stderr } = await here.platform(args, { input: 'a-key-that-the-platform-never-made' })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('refused the access key: Unauthorized')
    expect(stderr).not.toContain('never-made')
  })

  it('is reported as expired', async () => {
    await loginAs('ada', { ttl: 3_600 })
    here.advance(3_601_000)
    expect(await refusal()).toContain('the access key has expired (KeyExpired)')
  })
})
