import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
let checked: string | undefined

/** The program under test, as users run it. TENANT_CLI names another one, such as that of an installed package. */
export function builtCli(): string {
  checked ??= process.env.TENANT_CLI ?? ownBuild()
  return checked
}

function ownBuild(): string {
  const entry = join(root, 'dist/cli/main.js')
  if (!existsSync(entry))
    throw new Error('dist/cli/main.js is missing: these tests run the built program, so `npm run build` comes first')
  const source = newest(join(root, 'src'), (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const built = newest(join(root, 'dist'), (file) => file.endsWith('.js'))
  if (source.changedMs > built.changedMs) {
    const text = `dist is older than src/${source.file}: what is tested here is not the present source. Run \`npm run build\`.`
    if (process.env.CI === 'true') throw new Error(text)
    process.stderr.write(`warning: ${text}\n`)
  }
  return entry
}

function newest(
  directory: string,
  counts: (file: string) => boolean,
): { readonly file: string; readonly changedMs: number } {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(counts)
    .map((file) => ({ file, changedMs: statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .reduce((left, right) => (left.changedMs >= right.changedMs ? left : right), { file: '', changedMs: 0 })
}
