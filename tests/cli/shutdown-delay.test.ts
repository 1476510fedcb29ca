import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { delayShutdown } from '../../src/cli/shutdown-delay.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { tenant, tenantWith } from './tenant-process.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-shutdown-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

it.each([
  ['its option', {}, ['--shutdown-delay', '1h']],
  ['its variable', { TENANT_SHUTDOWN_DELAY: '1h' }, []],
])(
  'a platform accepts requests for a while after SIGTERM, but not after the second, with %s',
  async (_, env, flags) => {
    const port = await freePort()
    const place = ['--store', `file:${join(directory, 'store')}`, '--data-dir', directory, '--port', String(port)]
    const platform = tenantWith(env, 'platform', 'serve', ...place, ...flags)
    await platform.line('ready')
    const agent = patientAgent({ ca: await readFile(join(directory, 'pki', 'ca.crt'), 'utf8') })
    const statusOf = async (path: string) => {
      const { statusCode, body } = await request(`https://127.0.0.1:${port}${path}`, { dispatcher: agent })
      await body.dump()
      return statusCode
    }
    expect(await statusOf('/readyz')).toBe(200)
    platform.child.kill('SIGTERM')
    await eventually(async () => expect(await statusOf('/readyz')).toBe(500))
    expect(await statusOf('/livez')).toBe(200)
    platform.child.kill('SIGTERM')
    expect((await platform.finished).code).toBe(1)
    await agent.destroy()
  },
)

it('the shutdown continues after the delay', async () => {
  let drains = 0
  await delayShutdown({ drain: () => (drains += 1) }, { shutdownDelay: 0.01 })
  expect(drains).toBe(1)
})

it('an invalid delay is refused', async () => {
  const { code, stderr } = await tenant('platform', 'serve', '--store', 'file:x', '--shutdown-delay', 'soon').finished
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not a duration') })
})
