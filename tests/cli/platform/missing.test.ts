import { beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../../src/cli/program.ts'
import { management } from '../../platform/platform.ts'
import { loggedIn } from './logged-in.ts'

const here = loggedIn()
const { platform, loginAs } = here

/** Commands of `tenant` itself, as the user who is logged in. */
async function tenant(...args: readonly string[]) {
  let stderr = ''
  const terminal = {
    stdout: { write: () => {} },
    stderr: { write: (text: string) => (stderr += text) },
    env: { HOME: here.place.directory },
  }
  return { exitCode: await runCli(args, terminal), stderr }
}

describe('the error for something that is missing says what to do:', () => {
  beforeEach(() => loginAs('admin'))

  it('a project is chosen from those that the caller sees', async () => {
    const stderr = 'error: there is no project shop; choose one that you see with --project: default\n'
    expect(await tenant('list', '-p', 'shop')).toEqual({ exitCode: 1, stderr })
    expect(await tenant('connect', 'web', '-p', 'shop')).toEqual({ exitCode: 1, stderr })
    expect(await platform(['reissue', 'web', '--project', 'shop'])).toMatchObject({ exitCode: 1, stderr })
  })

  it('virtual clusters of an existing project are listed', async () => {
    const stderr = 'error: there is no virtual cluster web in project default; see: tenant list -p default\n'
    expect(await tenant('connect', 'web', '-p', 'default')).toEqual({ exitCode: 1, stderr })
  })
})

describe('a project that a user may not read', () => {
  it('has no empty list: an administrator can help, or another project', async () => {
    await loginAs('ada')
    expect(await tenant('list')).toEqual({
      exitCode: 0,
      stderr:
        'You may not see a project default; an administrator of the platform can make you a member of one (its spec.members).\n',
    })
    const members = [{ kind: 'User', name: 'ada', role: 'viewer' }]
    await here.server.must('POST', `${management}/projects`, { metadata: { name: 'lab' }, spec: { members } })
    expect((await tenant('list')).stderr).toBe(
      'You may not see a project default; choose one that you see with --project: lab.\n',
    )
    expect(await tenant('list', '-p', 'lab')).toEqual({ exitCode: 0, stderr: 'No virtual clusters in project lab.\n' })
  })
})
