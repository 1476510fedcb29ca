import { readFileSync } from 'node:fs'
import type { LayerEntry, LayerFile } from '../contract.ts'
import { readFolder } from './read-folder.ts'

const main = 'app/dist/cli/main.js'

/** The built program, where the Dockerfile has it, and the command `tenant` that starts it. */
export function programEntries(): readonly LayerEntry[] {
  const built = readFolder('dist', 'app/dist')
  if (!built.some(({ path }) => path === main))
    throw new Error('there is no dist/cli/main.js: run `npm run build` first')
  return [
    ...built.map((entry) => (entry.type === 'file' && entry.path === main ? withInterpreter(entry) : entry)),
    ...['package.json', 'LICENSE'].map((file) => plainFile(`app/${file}`, readFileSync(file))),
    { type: 'symlink', path: 'usr/local/bin/tenant', target: `/${main}` },
  ]
}

/** There is no `env` in the image that would look for Node. */
export function withInterpreter(file: LayerFile): LayerFile {
  const [first = '', ...rest] = Buffer.from(file.content).toString().split('\n')
  if (first !== '#!/usr/bin/env node') throw new Error(`${file.path} does not begin with #!/usr/bin/env node`)
  return { ...file, mode: 0o755, content: Buffer.from(['#!/usr/local/bin/node', ...rest].join('\n')) }
}

function plainFile(path: string, content: Uint8Array): LayerFile {
  return { type: 'file', path, mode: 0o644, content }
}
