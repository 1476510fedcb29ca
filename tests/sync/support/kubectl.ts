import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'

const patienceMs = 240_000

/** Runs kubectl on a cluster, with optional standard input, and returns its output. */
export type Kubectl = (words: string, input?: string | object) => Promise<string>

export function kubectlOn(command: string, kubeconfig: string): Kubectl {
  return (words, input) =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: tmpdir(), KUBECONFIG: kubeconfig, GOGC: 'off' }
      const child = spawn(command, words.split(' '), { env, timeout: patienceMs })
      const output = { stdout: '', stderr: '' }
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output.stdout += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output.stderr += text
      })
      child.once('error', reject)
      child.once('close', (code) => {
        if (code === 0) resolve(output.stdout)
        else reject(new Error(`kubectl ${words} ended with ${code}: ${output.stderr}`))
      })
      child.stdin.on('error', () => {})
      child.stdin.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''))
    })
}
