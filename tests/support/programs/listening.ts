import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type TcpNetConnectOpts } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface ListeningProgram {
  readonly name: string
  readonly file: string
  readonly flags: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** Where it accepts connections once it has started. */
  readonly address: TcpNetConnectOpts
}

const patienceMs = 240_000
const mostOutput = 8_000

/** Starts a program and waits until it accepts connections. An error holds the end of its output. */
export async function startListening({ name, file, flags, env, address }: ListeningProgram): Promise<ChildProcess> {
  // Some end when their input does.
  const child = spawn(file, flags, { stdio: ['pipe', 'pipe', 'pipe'], ...(env !== undefined && { env }) })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-mostOutput)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  for (let waited = 0; waited < patienceMs; waited += 20) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${output}`)
    if (await accepts(address)) return child
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(`${name} did not start: ${output}`)
}

export async function killProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

function accepts(address: TcpNetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
