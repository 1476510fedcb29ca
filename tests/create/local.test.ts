import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TenantProcess, tenantWith } from '../cli/tenant-process.ts'
import { makeWorkplace, type Workplace } from './workplace.ts'

describe('tenant create while tenant up, with whatever data directory, is the current platform', () => {
  let place: Workplace
  let up: TenantProcess

  beforeAll(async () => {
    place = makeWorkplace()
    const data = join(place.directory, 'anywhere')
    up = tenantWith({ HOME: place.directory }, 'up', '--no-demo', '--port', '0', '--data-dir', data)
    await up.line('ready')
    const { platform } = JSON.parse(place.read('anywhere/up.json'))
    const login = ['platform', 'login', platform.url, '--access-key-stdin', '--ca', platform.caFile]
    const { exitCode, stderr } = await place.tenant(login, { input: place.read('anywhere/admin.key').trim() })
    if (exitCode !== 0) throw new Error(stderr)
  })
  afterAll(async () => {
    up.child.kill('SIGTERM')
    await up.finished
    place.remove()
  })

  it('runs the virtual cluster there, and it can be used at once', async () => {
    const created = await place.tenant(['create', 'web', '--timeout', '60s'])
    expect(created).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('web is ready.') })
    expect((await place.tenant(['list'])).stdout).toMatch(/^web +default +Online/m)
    const script = `const { readFileSync } = require('fs'); process.exit(readFileSync(process.env.KUBECONFIG, 'utf8').includes('virtualcluster/web') ? 0 : 1)`
    expect(await place.tenant(['connect', 'web', '--', process.execPath, '-e', script])).toMatchObject({ exitCode: 0 })
  })

  it('refuses a second one of the name, and changes the first with --upgrade', async () => {
    expect(await place.tenant(['create', 'web'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--upgrade'),
    })
    const file = place.file('tenant.yaml', 'sync: {toHost: {services: {enabled: false}}}\n')
    expect(await place.tenant(['create', 'web', '--upgrade', '-f', file])).toMatchObject({ exitCode: 0 })
  })

  it('is deleted again', async () => {
    expect(await place.tenant(['delete', 'web', '--yes'])).toMatchObject({ exitCode: 0, stderr: 'web is deleted.\n' })
    expect(await place.tenant(['delete', 'web', '--yes'])).toMatchObject({ exitCode: 1 })
    expect((await place.tenant(['list'])).stderr).toContain('No virtual clusters in project default.')
  })
})
