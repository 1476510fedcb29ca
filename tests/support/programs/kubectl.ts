import { tmpdir } from 'node:os'
import { run } from './command.ts'

/** Runs kubectl on a cluster, with optional standard input, and returns its output. */
export type Kubectl = (words: string, input?: string | object) => Promise<string>

export function kubectlOn(command: string, kubeconfig: string): Kubectl {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), KUBECONFIG: kubeconfig, GOGC: 'off' }
  return (words, input = '') =>
    run(command, words.split(' '), { env, input: typeof input === 'string' ? input : JSON.stringify(input) })
}
