import { ApiError, isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { saysGone } from '../../client/says-gone.ts'
import { importedLabel, isImport } from '../names/import-marks.ts'
import { nameOf, printName } from '../names/names.ts'
import { ReadAgain, SyncTrouble } from '../run/failures/failure.ts'
import type { Side } from '../run/writes/commit.ts'
import type { ImportCause, ImportWrite } from './contract.ts'

export interface ImportContext {
  readonly virtual: Side
  readonly cause: ImportCause
  readonly signal: AbortSignal
}

/** The place of an import is taken by an object of the tenant, which stays. */
export class ImportNameTaken extends SyncTrouble {
  readonly object: KubeObject

  constructor(object: KubeObject) {
    const name = `${object.kind} ${printName(nameOf(object))}`
    super({
      reason: 'ImportNameTaken',
      message: `${name} exists in the virtual cluster, so the host's is not imported`,
    })
    this.name = 'ImportNameTaken'
    this.object = object
  }
}

/** Carries out a plan. Answers are learned at once, so the next plan builds on them. */
export async function commitImport(plan: ImportWrite, context: ImportContext): Promise<void> {
  const { client, type, informer } = context.virtual
  switch (plan.action) {
    case 'create':
      informer.learn(await createImport(plan.virtual, context))
      return
    case 'update':
      informer.learn(await client.update(type, plan.virtual, context.signal))
      return
    case 'delete':
      await deleteImport(plan.virtual, context)
      informer.learnGone(plan.virtual)
      return
  }
}

async function createImport(object: KubeObject, context: ImportContext): Promise<KubeObject> {
  const { client, type } = context.virtual
  try {
    return await client.create(type, object, context.signal)
  } catch (error) {
    if (isRefusal(error, 404) && type.namespaced) throw await namespaceMade(object, context)
    if (isRefusal(error, 409)) throw await whyTaken(object, context)
    throw error
  }
}

/** tenant.yaml names the namespace, so it is created. */
async function namespaceMade(object: KubeObject, { virtual: { client }, signal }: ImportContext): Promise<Error> {
  const { namespace } = nameOf(object)
  try {
    const type = await client.served.find('', 'namespaces', signal)
    if (type === undefined) return missing(namespace, 'the virtual cluster serves no namespaces')
    await client.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, signal)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 409) return missing(namespace, error.message)
  }
  return new ReadAgain(`the namespace ${namespace} is there now`)
}

function missing(namespace: string, why: string): Error {
  const message = `the namespace ${namespace} is missing in the virtual cluster and cannot be made: ${why}`
  return new SyncTrouble({ reason: 'NamespaceMissing', message })
}

async function whyTaken(object: KubeObject, { virtual, cause, signal }: ImportContext): Promise<Error> {
  const there = await virtual.client.get(virtual.type, nameOf(object), signal)
  const isOurs = isImport(there) && there.metadata.labels?.[importedLabel] === cause
  return isOurs ? new ReadAgain('it is there already') : new ImportNameTaken(there)
}

/** Deletes only this object in this state: a replacement stays. */
async function deleteImport(object: KubeObject, { virtual, signal }: ImportContext): Promise<void> {
  const { uid = '', resourceVersion = '' } = object.metadata
  try {
    await virtual.client.delete(virtual.type, nameOf(object), { uid, resourceVersion }, signal)
  } catch (error) {
    if (!saysGone(error, nameOf(object))) throw error
  }
}
