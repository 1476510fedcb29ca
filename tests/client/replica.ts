import type { KubeObject } from '../../src/api/object.ts'
import type { Informer, KubeClient, ResourceType } from '../../src/client/contract.ts'

/** The state of a listener that knows only its changes. Fails on a change that does not follow from the last one. */
export class Replica {
  readonly objects = new Map<string, KubeObject>()
  readonly complaints: string[] = []
  readonly changes: string[] = []

  constructor(informer: Informer) {
    informer.onChange(({ before, after }) => {
      const name = (after ?? before)?.metadata.name ?? ''
      if (this.objects.get(name) !== before) this.complaints.push(`${name}: the state before is not the last one`)
      if (after === undefined) this.objects.delete(name)
      else this.objects.set(name, after)
      this.changes.push(`${before === undefined ? 'add' : after === undefined ? 'delete' : 'update'} ${name}`)
    })
  }

  versions(): readonly string[] {
    return versionsOf(this.objects.values())
  }
}

export function versionsOf(objects: Iterable<KubeObject>): readonly string[] {
  return Array.from(objects, ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort()
}

export async function versionsOnServer(client: KubeClient, type: ResourceType, namespace: string) {
  return versionsOf((await client.list(type, { namespace })).items)
}
