import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultProject } from '../../../api/management/default-project.ts'
import { projectNamespace } from '../../../auth/scope/request.ts'
import type { Log } from '../../../base/log.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { clientOf } from '../clients.ts'
import { createDemoObjects, demo, demoInstance, ensure } from '../host/first-objects.ts'
import type { LocalTenants } from './local-tenants.ts'

export interface DemoOptions {
  readonly directory: string
  readonly platform: KubeClient
  readonly apiVersion: string
  readonly tenants: LocalTenants
  readonly log: Log
}

/**
 * Creates the demo at the first start, and waits until it is in step and linked. It is not recreated after a user has
 * deleted it.
 */
export async function startDemo({ directory, platform, apiVersion, tenants, log }: DemoOptions): Promise<void> {
  const file = join(directory, 'demo-was-made')
  const name = `${projectNamespace(defaultProject)}/${demo.name}`
  const isFirst = !existsSync(file)
  if (isFirst) await ensure(platform, demoInstance(apiVersion))
  if (!isFirst && !(await tenants.isWanted(name))) return
  const { controlPlane, tenant } = await tenants.whenStarted(name)
  if (isFirst && controlPlane !== undefined) {
    const virtual = clientOf(controlPlane.access, log)
    await createDemoObjects(virtual).finally(() => virtual.close())
    writeFileSync(file, '')
  }
  await tenant.whenInStep()
  await tenant.whenLinked()
}
