import type { Api, Listed } from '../sync/api.ts'
import { podsIn } from './objects.ts'

const mostAtOnce = 16

/** Makes Pods ready as soon as it sees them, only through the API: the same for both servers. */
export class ReadyNode {
  readonly #api: Api
  readonly #namespace: string
  readonly #waiting: string[] = []
  #busy = 0
  #addresses = 0
  #stop: () => void = () => {}

  constructor(api: Api, namespace: string) {
    this.#api = api
    this.#namespace = namespace
  }

  async start(): Promise<void> {
    this.#stop = await this.#api.watchAt(podsIn(this.#namespace), (pod, type) => {
      if (type === 'ADDED') this.#add(pod)
    })
  }

  stop(): void {
    this.#stop()
  }

  setReady(name: string, isReady: boolean): Promise<string> {
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
    const podIP = `10.${(this.#addresses >> 16) & 255}.${(this.#addresses >> 8) & 255}.${this.#addresses++ & 255}`
    const status = { phase: 'Running', conditions, ...(isReady && { podIP, podIPs: [{ ip: podIP }] }) }
    return this.#api.send('PATCH', `${podsIn(this.#namespace)}/${name}/status`, { status })
  }

  #add({ metadata }: Listed): void {
    this.#waiting.push(metadata.name)
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#busy >= mostAtOnce) return
    this.#busy++
    for (let name = this.#waiting.shift(); name !== undefined; name = this.#waiting.shift()) {
      // The Pod may already be gone.
      await this.setReady(name, true).catch(() => {})
    }
    this.#busy--
  }
}
