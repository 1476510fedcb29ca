import { Agent, request } from 'node:https'

export interface Target {
  readonly url: string
  readonly authority: string
  readonly token: string
  readonly path: string
}

function once({ url, token, path }: Target, agent: Agent, body?: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const asking = request(`${url}${path}`, { agent, headers, method }, (answer) => {
      answer.resume().once('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve()
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
    })
    asking.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** That many requests over that many connections, each waiting for its answer. Returns sorted times in milliseconds. */
export async function closedLoop(target: Target, requests: number, connections: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: target.authority })
  const times: number[] = []
  let left = requests
  const worker = async () => {
    while (left > 0) {
      left -= 1
      const startMs = performance.now()
      await once(target, agent)
      times.push(performance.now() - startMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
  return times.sort((left, right) => left - right)
}

/** Opens watches, writes one object, and returns how long it took until all of them had seen it. */
export async function watchAll(target: Target, watches: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, ca: target.authority })
  const headers = { authorization: `Bearer ${target.token}` }
  let seen = 0
  let allSeen = () => {}
  const done = new Promise<void>((resolve) => {
    allSeen = resolve
  })
  const open = () =>
    new Promise<() => void>((resolve, reject) => {
      const asking = request(`${target.url}${target.path}?watch=true`, { agent, headers }, (answer) => {
        let isMarked = false
        answer.on('data', (chunk: Buffer) => {
          if (isMarked || !chunk.includes('"mark"')) return
          isMarked = true
          seen += 1
          if (seen === watches) allSeen()
        })
        answer.on('error', () => {})
        resolve(() => asking.destroy())
      })
      asking.on('error', reject).end()
    })
  const closes: (() => void)[] = []
  for (let left = watches; left > 0; left -= 100) {
    closes.push(...(await Promise.all(Array.from({ length: Math.min(100, left) }, open))))
  }
  const startMs = performance.now()
  await once(target, agent, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mark' } })
  await done
  const tookMs = performance.now() - startMs
  for (const close of closes) close()
  agent.destroy()
  return tookMs
}

export function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
