import { expect } from 'vitest'
import type { Collection, Thing } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import type { Stage, Tenant } from '../../sync/support/stage.ts'

/** An object that a tenant writes, its copy on the host, and its Events. */
export interface Attack {
  readonly copy: Thing
  readonly warning: string
}

let count = 0

/** Writes an object into the virtual cluster and waits until its copy exists and its owner has been warned. */
export async function attack(
  stage: Stage,
  tenant: Tenant,
  namespace: string,
  kind: Collection,
  draft: { readonly metadata?: object; readonly [field: string]: unknown },
): Promise<Attack> {
  const name = `attack-${count++}`
  await stage.virtual.create(kind, { ...draft, metadata: { ...draft.metadata, namespace, name } })
  let found: Attack | undefined
  await soon(async () => {
    const [warning] = (await stage.warnings(namespace, name)).filter((text) => text.startsWith('DroppedByPolicy'))
    const copy = await tenant.findCopy(kind, namespace, name)
    expect({ warning, copy }).toEqual({ warning: expect.any(String), copy: expect.anything() })
    if (copy !== undefined && warning !== undefined) found = { copy, warning }
  })
  if (found === undefined) throw new Error('There is no copy.')
  return found
}

/** Writes an object of which nothing may reach the host. Returns the warning to its owner. */
export async function heldAttack(
  stage: Stage,
  tenant: Tenant,
  namespace: string,
  kind: Collection,
  fields: object,
): Promise<string> {
  const name = `attack-${count++}`
  await stage.virtual.create(kind, { ...fields, metadata: { namespace, name } })
  let warning = ''
  await soon(async () => {
    const [told] = (await stage.warnings(namespace, name)).filter((text) => text.startsWith('HeldBackByPolicy'))
    expect(told).toBeDefined()
    warning = told ?? ''
  })
  expect(await tenant.findCopy(kind, namespace, name)).toBeUndefined()
  return warning
}
