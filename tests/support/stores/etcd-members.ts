import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../network/free-port.ts'
import { startEtcdProcess, stopEtcdProcess } from './etcd.ts'

/** Several processes that form one etcd. */
export interface EtcdMembers {
  /** The name of the store for `--store`. */
  readonly store: string
  /** Kills one at an arbitrary moment. Its data stays. */
  kill(member: number): Promise<void>
  start(member: number): Promise<void>
  remove(): Promise<void>
}

interface Member {
  readonly flags: readonly string[]
  readonly health: string
  child?: ChildProcess
}

/** Listens on one address of this machine: loopback, or that of a node, where Pods reach it. */
export async function startEtcdMembers(address: string, count = 3): Promise<EtcdMembers> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-etcd-members-'))
  const places = await Promise.all(Array.from({ length: count }, (_, index) => placeOf(address, index)))
  const cluster = places.map(({ name, peer }) => `${name}=${peer}`).join()
  const members: readonly Member[] = places.map(({ name, client, peer, health }) => ({
    health: `${health}/health`,
    flags: [
      ...['--name', name, '--data-dir', join(directory, name), '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', cluster],
      ...['--listen-metrics-urls', health],
    ],
  }))
  const start = async (member: Member | undefined) => {
    if (member !== undefined) member.child = await startEtcdProcess(member.flags, member.health)
  }
  const kill = async (member: Member | undefined) => {
    if (member?.child !== undefined) await stopEtcdProcess(member.child)
  }
  const remove = async () => {
    await Promise.all(members.map(kill))
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await Promise.all(members.map(start))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    store: `etcd:${places.map(({ client }) => client).join()}`,
    kill: (member) => kill(members[member]),
    start: (member) => start(members[member]),
    remove,
  }
}

async function placeOf(address: string, index: number) {
  const url = (host: string, port: number) => `http://${host}:${port}`
  return {
    name: `member-${index}`,
    client: url(address, await freePort()),
    peer: url('127.0.0.1', await freePort()),
    health: url('127.0.0.1', await freePort()),
  }
}
