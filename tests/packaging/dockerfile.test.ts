import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const stages = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const last = stages.slice(stages.findLastIndex((line) => line.startsWith('FROM ')))
const instruction = (name: string) =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

describe('the image', () => {
  it('runs as an unprivileged user with the numeric id that the Pods use', () => {
    const [user] = instruction('USER')
    expect(user).toBe('65532:65532')
    expect(read('src/cli/host/hardened-pod.ts')).toContain('65_532')
    expect(last.findLastIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      last.findLastIndex((line) => line.startsWith('RUN ')),
    )
  })

  it('writes only to its volume', () => {
    expect(instruction('VOLUME')).toEqual(['/var/lib/tenant'])
    expect(instruction('ENV')).toEqual([
      'NODE_ENV=production HOME=/var/lib/tenant MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072',
    ])
  })

  it('has the Node version that the package requires', () => {
    const { engines } = JSON.parse(read('package.json'))
    const least = Number(/^>=(\d+)/.exec(engines.node)?.[1])
    const majors = stages
      .filter((line) => line.startsWith('FROM '))
      .map((line) => Number(/node:(\d+)-/.exec(line)?.[1]))
    for (const major of majors) expect(major).toBeGreaterThanOrEqual(least)
    // HTTP/2 of Node 20 gets no more fixes: docs/decisions/0027-http2-streams-end-between-reads.md.
    for (const major of majors) expect(major).toBeGreaterThan(20)
  })

  it('starts with the command that Pods run', () => {
    expect(instruction('ENTRYPOINT')).toEqual(['["tenant"]'])
    expect(read('src/cli/create/manifests/stateful-set.ts')).toContain("command: ['tenant', 'run']")
  })

  it('contains no development tools and no sources', () => {
    const copied = instruction('COPY')
    expect(copied.every((line) => line.startsWith('--from=build '))).toBe(true)
    expect(stages.join('\n')).toContain('npm prune --omit=dev')
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'tests']))
  })
})
