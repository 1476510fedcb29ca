import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../console/src', import.meta.url))

/** A folder imports only from folders of earlier lines. */
const layers: readonly (readonly string[])[] = [
  ['api', 'format', 'jsx'],
  ['fetched'],
  ['live', 'parts'],
  ['plot', 'table', 'yaml'],
  ['editor', 'session'],
  ['resources'],
  ['clusters', 'keys', 'virtual-clusters'],
  ['overview', 'playground', 'projects', 'shell', 'teams', 'users'],
  ['app'],
]

const layerOf = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)))
const folderOf = (file: string) => relative(root, file).split('/', 1)[0] ?? ''

function importsOf(file: string): readonly string[] {
  const targets = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, to = '']) => to)
  return targets.map((target) => join(dirname(file), target)).filter((target) => target.startsWith(`${root}/`))
}

it('folders of the console import in one direction', () => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.parentPath !== root)
    .map((entry) => join(entry.parentPath, entry.name))
  const rank = (file: string) => layerOf.get(folderOf(file)) ?? Number.NaN
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => folderOf(target) !== folderOf(file) && !(rank(target) < rank(file)))
      .map((target) => `${relative(root, file)} imports ${relative(root, target)}`),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(upward).toEqual([])
})

it('all pages query through one module, which handles the four states', () => {
  const past = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\buse(Suspense|Infinite)?Quer(y|ies)\(/.test(readFileSync(file, 'utf8')))
  expect(past.map((file) => relative(root, file))).toEqual(['fetched/use-asked.ts'])
})
