import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import type { Kind } from '../../src/api/kind.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { startTestServer, type TestServerOptions } from '../support/clusters/api-server.ts'
import type { KubectlBinary } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import type { Outcome } from './outcome.ts'

const patienceMs = 240_000

/** How a command is run. The words are split at spaces; arguments with spaces follow them. */
export type Run = (words: string, ...verbatim: readonly string[]) => Promise<Outcome>

/** One kubectl with a separate home directory and server. */
export interface Kubectl {
  readonly run: Run
  /** Sends these objects on its standard input; `-f -` is added. */
  pipe(input: string | object, words: string, ...verbatim: readonly string[]): Promise<Outcome>
  /** Runs as the user without rights. */
  readonly asAlice: Run
  /** Uses a shell script as the editor; the file to edit is `$1`. */
  edit(script: string, words: string): Promise<Outcome>
  /** Writes a file in the home directory, which is also the working directory of commands. */
  writeInHome(name: string, text: string): Promise<void>
  /** A file that a script left there. */
  fileInHome(name: string): Promise<string>
  /** Runs until it is stopped. */
  start(words: string): RunningKubectl
  stop(): Promise<void>
}

export interface RunningKubectl {
  /** Resolves when its output is as expected. */
  until(expected: (stdout: string) => void): Promise<void>
  /** Resolves when the server has accepted its watch: it sees everything that happens from now on. Needs `-v=6`. */
  untilItWatches(): Promise<void>
  /** Resolves when it ends without being stopped. */
  readonly outcome: Promise<Outcome>
  stop(): Promise<void>
}

/** The kinds of the platform. */
export function platformKinds(): readonly Kind[] {
  return [...coreKinds(), ...managementKinds('platform.internal')]
}

export async function startKubectl(
  { command }: KubectlBinary,
  kinds: readonly Kind[] = platformKinds(),
  more: Pick<TestServerOptions, 'cluster' | 'simulatedTimes'> = {},
): Promise<Kubectl> {
  const server = await startTestServer({ ...more, kinds })
  const directory = await mkdtemp(join(tmpdir(), 'tenant-kubectl-'))
  const configs = { admin: join(directory, 'admin.json'), alice: join(directory, 'alice.json') }
  await writeFile(configs.admin, server.kubeconfig('admin'))
  await writeFile(configs.alice, server.kubeconfig('alice'))
  const environment = {
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    KUBECACHEDIR: join(directory, 'cache'),
    KUBECONFIG: configs.admin,
    // Commands end before garbage collection would pay off.
    GOGC: 'off',
  }
  const running = new Set<ChildProcess>()
  const launch = (parameters: readonly string[], extra: NodeJS.ProcessEnv = {}) => {
    const child = spawn(command, parameters, { cwd: directory, env: { ...environment, ...extra } })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  return {
    run: (words, ...verbatim) => outcomeOf(launch(parametersOf(words, verbatim))),
    pipe: (input, words, ...verbatim) => {
      const child = launch(parametersOf(words, [...verbatim, '-f', '-']))
      return outcomeOf(child, typeof input === 'string' ? input : JSON.stringify(input))
    },
    asAlice: (words, ...verbatim) => outcomeOf(launch(parametersOf(words, verbatim), { KUBECONFIG: configs.alice })),
    edit: async (script, words) => {
      const editor = join(await mkdtemp(join(directory, 'editor-')), 'editor')
      await writeFile(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return outcomeOf(launch(['edit', ...parametersOf(words, [])], { KUBE_EDITOR: editor }))
    },
    writeInHome: (name, text) => writeFile(join(directory, name), text),
    fileInHome: (name) => readFile(join(directory, name), 'utf8'),
    start: (words) => watched(launch(parametersOf(words, []))),
    stop: async () => {
      await Promise.all([...running].map(endOf))
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function parametersOf(words: string, verbatim: readonly string[]): readonly string[] {
  return [...words.split(' '), ...verbatim]
}

function outcomeOf(child: ChildProcess, input = ''): Promise<Outcome> {
  const printed = outputOf(child)
  const deadline = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  return ended(child, printed).finally(() => clearTimeout(deadline))
}

function watched(child: ChildProcess): RunningKubectl {
  const printed = outputOf(child)
  return {
    until: (expected) => eventually(() => expected(printed().stdout), patienceMs),
    untilItWatches: () => eventually(() => expect(printed().stderr).toMatch(/watch=true.*200 OK/), patienceMs),
    outcome: ended(child, printed),
    stop: () => endOf(child),
  }
}

type Printed = () => Pick<Outcome, 'stdout' | 'stderr'>

function ended(child: ChildProcess, printed: Printed): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, ...printed() }))
  })
}

function outputOf(child: ChildProcess): Printed {
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  return () => ({ stdout: stdout(), stderr: stderr() })
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}
