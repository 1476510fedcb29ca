import type { Chance } from '../../support/chance.ts'
import type { Answer, ApiClient } from '../support/api-client.ts'
import type { Contents, Ledger } from './ledger.ts'

const verbs = ['PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE'] as const
const padding = 'x'.repeat(2_000)

/** One connection that writes its own objects as fast as it is answered, until the connection breaks. */
export class Writer {
  readonly ledgers: readonly [Ledger, ...Ledger[]]
  readonly complaints: string[] = []
  #step = 0

  constructor(ledgers: readonly [Ledger, ...Ledger[]]) {
    this.ledgers = ledgers
  }

  async writeUntilBroken(client: ApiClient, collection: string, chance: Chance): Promise<void> {
    for (;;) {
      const ledger = chance.pick(this.ledgers)
      const answer = await this.#write(client, collection, ledger, chance).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status < 300) ledger.acknowledge(answer.body.metadata.resourceVersion)
      else this.complaints.push(`${ledger.name}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (answer.status >= 300) return
    }
  }

  #write(client: ApiClient, collection: string, ledger: Ledger, chance: Chance): Promise<Answer> {
    const { name, contents, resourceVersion } = ledger
    const path = `${collection}/${name}`
    this.#step += 1
    const step = String(this.#step)
    if (contents === undefined) {
      const data = whole(step)
      ledger.attempt(data)
      return client.request('POST', collection, configMap({ name }, data))
    }
    switch (chance.pick(verbs)) {
      case 'PUT': {
        const data = whole(step)
        ledger.attempt(data)
        return client.request('PUT', path, configMap({ name, resourceVersion }, data))
      }
      case 'PATCH': {
        const patch = { [`step${this.#step % 3}`]: step, last: step }
        ledger.attempt({ ...contents, ...patch })
        return client.mergePatch(path, { data: patch })
      }
      case 'DELETE':
        ledger.attempt(undefined)
        return client.request('DELETE', path)
    }
  }
}

/** Both ends of an object name the same step, unless two writes were mixed. */
function whole(step: string): Contents {
  return { first: step, padding, last: step }
}

function configMap(metadata: { readonly name: string; readonly resourceVersion?: string }, data: Contents) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
}
