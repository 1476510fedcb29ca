import type { Subject } from '../../contract.ts'
import { Http1Connection, requestBytes } from '../../load/http1-connection.ts'
import { domain } from './fill-store.ts'

const group = `management.${domain}`
export const management = `/apis/${group}/v1`
export const keysPath = `${management}/ownedaccesskeys`

/** Requests of an administrator that must succeed. */
export class Api {
  readonly #subject: Subject
  readonly #connection: Http1Connection

  private constructor(subject: Subject, connection: Http1Connection) {
    this.#subject = subject
    this.#connection = connection
  }

  static async of(subject: Subject): Promise<Api> {
    return new Api(subject, await Http1Connection.open(subject, { keepsBody: true }))
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async must(method: string, path: string, body?: object, type?: string): Promise<any> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await this.#connection.request(requestBytes(this.#subject, method, path, text, type))
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`)
    return JSON.parse(answer.body)
  }

  create(kind: string, plural: string, object: object, namespace = ''): Promise<unknown> {
    const where = namespace === '' ? management : `${management}/namespaces/${namespace}`
    return this.must('POST', `${where}/${plural}`, { apiVersion: `${group}/v1`, kind, ...object })
  }

  /** The value of a new key. */
  async createKey(name: string, spec: object): Promise<string> {
    const body = { apiVersion: `${group}/v1`, kind: 'OwnedAccessKey', metadata: { name }, spec }
    return (await this.must('POST', keysPath, body)).spec.key
  }

  close(): void {
    this.#connection.close()
  }
}
