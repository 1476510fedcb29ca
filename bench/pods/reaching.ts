import { spawn } from 'node:child_process'
import { request } from 'node:https'
import type { Round, Row } from '../contract.ts'
import { atLeast, atMost } from '../rounds.ts'
import { freePort } from '../servers/ready.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import { runningPod } from './objects.ts'
import { type Place, podsPath, startPod, untilTrue } from './place.ts'

const tries = 40
const megabytes = 8
const name = 'reached'
const file = `head -c ${megabytes * 1_000_000} /dev/zero | tr '\\0' x | fold -w 999 > /tmp/file`
const script = `${file}; cat /tmp/file; exec httpd -f -p 8080 -h /tmp`

/** Connects to a Pod of the virtual cluster, and to one of the host itself: each attempt at both, in turn. */
export async function measureReaching({ ours, peer }: Round<Place>, kubectl: string): Promise<readonly Row[]> {
  if (peer === undefined) throw new Error('there is no host to compare with')
  for (const place of [ours, peer]) await startPod(place, name, runningPod(name, script))
  await untilTrue('logs are written', async () => (await logBytes(peer)) >= megabytes * 1_000_000)
  const inTurn = async (measure: (place: Place) => Promise<number>, count = tries) => {
    const both = { ours: [] as number[], peer: [] as number[] }
    for (let index = 0; index < count; index++) {
      both.ours.push(await measure(ours))
      both.peer.push(await measure(peer))
    }
    return { ours: quantile(sortedNumbers(both.ours), 0.5), peer: quantile(sortedNumbers(both.peer), 0.5) }
  }
  const row = (scenario: string, unit: string, both: { ours: number; peer: number }, target: Row['target']): Row => {
    return { scenario, unit, ...both, ratio: both.ours / both.peer, target }
  }
  const forwards = { ours: await startForward(ours, kubectl), peer: await startForward(peer, kubectl) }
  try {
    return [
      row('exec, first byte, p50', 'ms', await inTurn(execFirstByte), atMost(1.5)),
      row('logs, first byte, p50', 'ms', await inTurn(logFirstByte), atMost(1.5)),
      row('logs', 'MB/s', await inTurn(logRate, 9), atLeast(0.7)),
      row('port-forward', 'MB/s', await inTurn((place) => forwards[place.subject.role].rate(), 9), atLeast(0.7)),
    ]
  } finally {
    for (const forward of Object.values(forwards)) forward.stop()
  }
}

function asked({ subject }: Place, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { host, port, authority: ca, token } = subject
  return request({ host, port, ca, path, headers: { authorization: `Bearer ${token}`, ...headers } })
}

/** On a separate connection, as clients do: TLS, the upgrade, the process, and the first byte that it prints. */
function execFirstByte(place: Place): Promise<number> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'YmVuY2gtYmVuY2gtYmVuYw==',
    'sec-websocket-protocol': 'v4.channel.k8s.io',
  }
  const path = `${podsPath(place)}/${name}/exec?command=echo&command=here&stdout=true`
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    asked(place, path, headers)
      .once('error', reject)
      .once('response', ({ statusCode }) => reject(new Error(`exec was answered with ${statusCode}`)))
      .once('upgrade', (_response, socket, head) => {
        const look = (bytes: Buffer) => {
          if (!bytes.includes('here')) return
          resolve(performance.now() - startedAt)
          socket.destroy()
        }
        socket.on('data', look)
        look(head)
      })
      .end()
  })
}

function logFirstByte(place: Place): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    asked(place, `${podsPath(place)}/${name}/log?tailLines=1`)
      .once('error', reject)
      .once('response', (response) => {
        response.once('data', () => resolve(performance.now() - startedAt)).resume()
      })
      .end()
  })
}

async function logRate(place: Place): Promise<number> {
  const startedAt = performance.now()
  const bytes = await logBytes(place)
  return bytes / 1000 / (performance.now() - startedAt)
}

function logBytes(place: Place): Promise<number> {
  return new Promise((resolve, reject) => {
    let length = 0
    asked(place, `${podsPath(place)}/${name}/log`)
      .once('error', reject)
      .once('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
        })
        response.once('end', () => resolve(length))
      })
      .end()
  })
}

async function startForward({ kubeconfig, namespace }: Place, kubectl: string) {
  const port = await freePort()
  const words = ['--kubeconfig', kubeconfig, '-n', namespace, 'port-forward', `pod/${name}`, `${port}:8080`]
  const child = spawn(kubectl, words, { stdio: 'ignore' })
  const read = async () => (await (await fetch(`http://127.0.0.1:${port}/file`)).arrayBuffer()).byteLength
  await untilTrue('the port is forwarded', () => read().then(Boolean, () => false))
  return {
    rate: async () => {
      const startedAt = performance.now()
      const bytes = await read()
      return bytes / 1000 / (performance.now() - startedAt)
    },
    stop: () => child.kill(),
  }
}
