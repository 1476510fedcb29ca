import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { silentLog } from '../../base/log.ts'
import { followConfig } from './config-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-config-file-'))
const file = join(directory, 'tenant.yaml')
let stop = () => {}

afterEach(() => {
  stop()
  rmSync(directory, { recursive: true, force: true })
})

it('reports a change made before the first read, then each valid change once', async () => {
  const told: boolean[] = []
  const warnings: string[] = []
  const log = { ...silentLog, warn: (message: string) => warnings.push(message) }
  const write = (text: string) => writeFileSync(file, text)
  write('sync: { toHost: { services: { enabled: false } } }')
  const changed = async ({ sync }: ReturnType<typeof effectiveConfig>) => {
    told.push(sync.toHost.services.enabled)
  }
  stop = followConfig(file, effectiveConfig({}), changed, log)
  await vi.waitFor(() => expect(told).toEqual([false]), 60_000)
  write('sync: [wrong')
  await vi.waitFor(() => expect(warnings).not.toEqual([]), 60_000)
  write('sync: {}')
  await vi.waitFor(() => expect(told).toEqual([false, true]), 60_000)
})
