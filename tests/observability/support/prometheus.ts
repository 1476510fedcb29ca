import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testTools } from '../../support/clusters/kubernetes-programs.ts'
import { freePort } from '../../support/network/free-port.ts'
import { startProgram } from '../../support/programs/program.ts'

const monitoring = join(import.meta.dirname, '../../../deploy/monitoring')
const patienceMs = 240_000

export interface PrometheusPrograms {
  readonly server: string
  readonly tool: string
}

/** The programs from `fetch-prometheus`, else the installed ones. */
export function findPrometheus(): PrometheusPrograms | undefined {
  const folder = [join(testTools, 'prometheus'), '/usr/bin'].find((each) => existsSync(join(each, 'promtool')))
  if (folder !== undefined) return { server: join(folder, 'prometheus'), tool: join(folder, 'promtool') }
  if (process.env.CI === 'true') throw new Error('no Prometheus: run tests/support/fetch-prometheus')
  return undefined
}

export const monitoringFile = (name: string): string => readFileSync(join(monitoring, name), 'utf8')

/** The configuration of deploy/monitoring in a separate folder, with these values instead of its examples. */
export function writeConfiguration(folder: string, places: Readonly<Record<string, string>>): string {
  writeFileSync(join(folder, 'alerts.yaml'), monitoringFile('alerts.yaml'))
  const file = join(folder, 'prometheus.yaml')
  const text = Object.entries(places).reduce((before, [example, place]) => {
    if (!before.includes(example)) throw new Error(`deploy/monitoring/prometheus.yaml does not say ${example}`)
    return before.replaceAll(example, place)
  }, monitoringFile('prometheus.yaml'))
  writeFileSync(file, text)
  return file
}

/** The output of promtool; throws if it finds an error. */
export function check({ tool }: PrometheusPrograms, what: 'config' | 'rules', file: string): string {
  return execFileSync(tool, ['check', what, file], { encoding: 'utf8' })
}

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

export async function startPrometheus({ server }: PrometheusPrograms, folder: string, config: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = startProgram({
    program: server,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
  })
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await program.until('ready', isReady, patienceMs)
  const ask = async (path: string) => {
    const { status, data, error } = await (await fetch(`${url}/api/v1/${path}`)).json()
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  return {
    stop: program.stop,
    targets: async (): Promise<readonly { labels: Record<string, string>; health: string; lastError: string }[]> =>
      (await ask('targets')).activeTargets,
    rules: async (): Promise<readonly { name: string; health: string; state: string; lastError?: string }[]> =>
      (await ask('rules')).groups.flatMap((group: { rules: [] }) => group.rules),
    names: (): Promise<readonly string[]> => ask('label/__name__/values'),
    query: async (expression: string): Promise<readonly Series[]> =>
      (await ask(`query?query=${encodeURIComponent(expression)}`)).result,
  }
}

export type RunningPrometheus = Awaited<ReturnType<typeof startPrometheus>>
