import { execFile, execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../../src/api/object.ts'
import { testTools } from '../../support/clusters/kubernetes-programs.ts'

export const chartFolder = join(import.meta.dirname, '../../../deploy/chart')
const source = join(import.meta.dirname, 'main.go')

/** The input of helm, and what it learns of the cluster. */
export interface ChartUse {
  readonly values: Readonly<Record<string, unknown>>
  readonly namespace: string
  readonly servedApis: readonly string[]
}

export type Rendered = { readonly objects: readonly KubeObject[]; readonly notes: string } | { readonly error: string }

interface RenderResult {
  readonly files: Readonly<Record<string, string>>
  readonly error?: string
}

/** Compiled once for each version of its source. */
export function chartRenderer(): string {
  const program = join(testTools, `chart-renderer-${hash('sha256', readFileSync(source)).slice(0, 12)}`)
  if (!existsSync(program)) execFileSync(join(import.meta.dirname, 'build'), [program], { stdio: 'pipe' })
  return program
}

/** Why there is no renderer; undefined if there is one. */
export function missingRenderer(): string | undefined {
  try {
    chartRenderer()
    return undefined
  } catch (error) {
    return `the renderer of charts cannot be compiled: ${String(error)}`
  }
}

export const readChart = (file: string) => readFileSync(join(chartFolder, file), 'utf8')

/** Renders the chart like helm: the values of the user override those of the chart. */
export async function renderChart(uses: readonly ChartUse[]): Promise<readonly Rendered[]> {
  const { name, version, appVersion } = parse(readChart('Chart.yaml'))
  const files = readdirSync(join(chartFolder, 'templates'))
  const job = {
    chart: { Name: name, Version: version, AppVersion: appVersion },
    templates: Object.fromEntries(files.map((file) => [file, readChart(`templates/${file}`)])),
    renderings: uses.map((use) => ({ ...use, values: { ...parse(readChart('values.yaml')), ...use.values } })),
  }
  const results: readonly RenderResult[] = JSON.parse(await runRenderer(JSON.stringify(job)))
  return results.map(toRendered)
}

function runRenderer(input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(chartRenderer(), { maxBuffer: 1e7 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stderr}`)),
    )
    child.stdin?.end(input)
  })
}

function toRendered({ files, error }: RenderResult): Rendered {
  if (error !== undefined) return { error }
  const manifests = Object.entries(files).filter(([file]) => file.endsWith('.yaml'))
  const documents = manifests.flatMap(([, text]) => parseAllDocuments(text))
  return {
    objects: documents.map((document): KubeObject | null => document.toJS()).filter((each) => each !== null),
    notes: files['NOTES.txt'] ?? '',
  }
}
