import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|enum|let) (\w+)/gm

/** Fixtures that suites share have the names of their kinds. */
const shared = new Set(['configMap', 'endpoints', 'service'])

describe('a name says one thing: no two files export the same', () => {
  it.each(['src', 'console/src'])('in %s', (folder) => {
    const files = sourceFiles(folder)
    const filesOf = new Map<string, string[]>()
    for (const file of files) {
      for (const name of exportedBy(file)) filesOf.set(name, [...(filesOf.get(name) ?? []), file])
    }
    const repeated = [...filesOf].filter(([name, places]) => places.length > 1 && !shared.has(name))
    expect(files.length).toBeGreaterThan(100)
    expect(Object.fromEntries(repeated)).toEqual({})
  })
})

/** The generated types of Kubernetes keep its names, several of which occur in several groups. */
function sourceFiles(folder: string): readonly string[] {
  const all = execFileSync('git', ['ls-files', folder], { encoding: 'utf8' }).trim().split('\n')
  return all.filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file) && !file.startsWith('src/api/types/'))
}

function exportedBy(file: string): ReadonlySet<string> {
  return new Set([...readFileSync(file, 'utf8').matchAll(exported)].map(([, name = '']) => name))
}
