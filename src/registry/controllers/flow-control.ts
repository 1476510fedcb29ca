import { ApiError } from '../../api/error.ts'
import { ownLevels } from '../../api/flowcontrol/own-levels.ts'
import { ownSchemas } from '../../api/flowcontrol/own-schemas.ts'
import type { KubeObject } from '../../api/object.ts'
import type { FlowSchema, FlowSchemaCondition } from '../../api/types/flowcontrol-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import { applyObject } from '../verbs/apply.ts'
import type { Controller, ReportError } from './controller.ts'
import { ensureObject } from './ensure.ts'
import { systemRequest } from './system-request.ts'

const manager = 'api-priority-and-fairness-config-consumer-v1'

/** Queue entry for the levels and schemas that every cluster has. */
const ownObjects = ''
/** Queue entry for all schemas, after a level was added or removed. */
const everySchema = '*'

const own: readonly KubeObject[] = [...ownLevels, ...ownSchemas]
const ownNames: ReadonlySet<string> = new Set(own.map(({ metadata }) => metadata.name ?? ''))

export interface FlowControlKinds {
  readonly schemas: ResourceContext
  readonly levels: ResourceContext
}

/**
 * Ensures that the levels and schemas of Kubernetes exist, and that every schema reports whether its level exists. They
 * do not affect requests.
 */
export class FlowControl implements Controller {
  readonly #kinds: FlowControlKinds
  readonly #loop: Reconciler

  constructor(kinds: FlowControlKinds, report: ReportError) {
    this.#kinds = kinds
    this.#loop = new Reconciler({
      reconcile: (name) => this.#reconcile(name),
      failed: (name, error) => {
        if (!(error instanceof ApiError) || error.code >= 500) report(manager, name, error)
      },
      workers: 1,
      measured: { metrics: kinds.schemas.engine.metrics, name: 'flow-control' },
    })
    this.#followSchemas()
    this.#followLevels()
    this.#loop.add(ownObjects)
    this.#loop.add(everySchema)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #followSchemas(): void {
    this.#loop.follow(
      this.#kinds.schemas.cache.listen((events) => {
        for (const { type, document } of events) {
          if (type !== 'DELETED') this.#loop.add(document.name)
          else if (ownNames.has(document.name)) this.#loop.add(ownObjects)
        }
      }),
    )
  }

  #followLevels(): void {
    this.#loop.follow(
      this.#kinds.levels.cache.listen((events) => {
        for (const { type, document } of events) {
          if (type === 'MODIFIED') continue
          if (type === 'DELETED' && ownNames.has(document.name)) this.#loop.add(ownObjects)
          this.#loop.add(everySchema)
        }
      }),
    )
  }

  #reconcile(name: string): Promise<void> {
    switch (name) {
      case ownObjects:
        return this.#ensureOwn()
      case everySchema:
        return this.#addAll()
      default:
        return this.#look(name)
    }
  }

  /** Schemas are queued one by one: users may have very many, and change levels often. */
  async #addAll(): Promise<void> {
    const pace = new Pace()
    for (const { name } of this.#kinds.schemas.cache.snapshot().values()) {
      await pace.step()
      this.#loop.add(name)
    }
  }

  async #ensureOwn(): Promise<void> {
    const { schemas, levels } = this.#kinds
    const request = systemRequest('api-priority-and-fairness-config-producer-v1', this.#loop.signal)
    for (const object of own) await ensureObject(object.kind === 'FlowSchema' ? schemas : levels, object, request)
  }

  async #look(name: string): Promise<void> {
    const { schemas, levels } = this.#kinds
    const id = { namespace: '', name }
    const schema = schemas.cache.get(id)?.object as FlowSchema | undefined
    if (schema === undefined) return
    const level = schema.spec.priorityLevelConfiguration.name
    const isThere = levels.cache.get({ namespace: '', name: level }) !== undefined
    const condition = danglingCondition(level, isThere, timestamp(schemas.engine.clock.now()))
    if (isSaid(schema, condition)) return
    const value = {
      apiVersion: schema.apiVersion,
      kind: schema.kind,
      metadata: { name },
      status: { conditions: [condition] },
    }
    const body = { value, duplicateFields: [], text: '' }
    await applyObject(
      schemas,
      id,
      { type: 'apply', body, force: true },
      systemRequest(manager, this.#loop.signal, 'status'),
    )
  }
}

function isSaid({ status }: FlowSchema, { type, status: wanted, message }: FlowSchemaCondition): boolean {
  const said = status?.conditions?.find((each) => each.type === type)
  return said?.status === wanted && said?.message === message
}

function danglingCondition(level: string, isThere: boolean, lastTransitionTime: string): FlowSchemaCondition {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`
  return {
    type: 'Dangling',
    status: isThere ? 'False' : 'True',
    lastTransitionTime,
    reason: isThere ? 'Found' : 'NotFound',
    message: `${named} ${isThere ? 'and it exists' : 'but there is no such object'}`,
  }
}
