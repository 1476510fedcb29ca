import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { billOfMaterials } from '../../image/bill-of-materials.ts'
import { runConfig } from '../../image/build.ts'
import type { LayerEntry, LayerFile } from '../../image/contract.ts'
import { unpackEntries } from '../../image/oci/archive.ts'
import { packLayer } from '../../image/oci/layer.ts'
import { packLayout } from '../../image/oci/layout.ts'
import { readImageOptions } from '../../image/options.ts'
import { certificateBundle } from '../../image/parts/certificates.ts'
import { componentOf } from '../../image/parts/debian.ts'
import { debianEntry } from '../../image/parts/debian-files.ts'
import { npmComponent } from '../../image/parts/dependencies.ts'
import { isNeededFile } from '../../image/parts/dependency-files.ts'
import { nodeVersion } from '../../image/parts/node.ts'
import { withInterpreter } from '../../image/parts/program.ts'
import { systemEntries } from '../../image/parts/system.ts'

const seconds = 1_700_000_000

function file(path: string, text = path): LayerFile {
  return { type: 'file', path, mode: 0o644, content: Buffer.from(text) }
}

function layerOf(entries: readonly LayerEntry[]) {
  return packLayer({ entries, components: [], modifiedSeconds: seconds })
}

describe('a layer of the image', () => {
  const entries: readonly LayerEntry[] = [file('b/c/d'), { type: 'symlink', path: 'a', target: 'b/c/d' }, file('b/a')]

  it('does not depend on the order in which its files are read', async () => {
    const [one, other] = [await layerOf(entries), await layerOf(entries.toReversed())]
    expect(one).toEqual(other)
    expect(one.digest).not.toBe((await layerOf([...entries, file('e')])).digest)
  })

  it('has folders before their content, and one time, owner and order for all', async () => {
    const { archive } = await packLayout([], { ...about, createdSeconds: seconds })
    const names: string[] = []
    for await (const { header } of unpackEntries(archive)) {
      names.push(header.name)
      expect(header).toMatchObject({ uid: 0, gid: 0, mtime: new Date(seconds * 1000) })
    }
    expect(names).toEqual(names.toSorted())
    expect(names.slice(0, 2)).toEqual(['blobs/', 'blobs/sha256/'])
  })

  it('refuses a duplicate path', async () => {
    await expect(layerOf([file('a'), file('a')])).rejects.toThrow('a is in the layer twice')
  })
})

const about = { architecture: 'amd64', name: 'localhost/a:1', run: runConfig, labels: {}, createdSeconds: 0 } as const

describe('the image without Docker', () => {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(last)?.[1]

  it('starts like the image of the Dockerfile', () => {
    expect(instruction('USER')).toBe(runConfig.user)
    expect(instruction('ENTRYPOINT')).toBe(JSON.stringify(runConfig.entrypoint))
    expect(instruction('CMD')).toBe(JSON.stringify(runConfig.command))
    expect(instruction('WORKDIR')).toBe(runConfig.workingDirectory)
    expect(instruction('VOLUME')).toBe(runConfig.volumes.join(' '))
    expect(instruction('EXPOSE')).toBe(runConfig.ports.join(' ').replaceAll('/tcp', ''))
    expect(runConfig.environment).toEqual(expect.arrayContaining(instruction('ENV')?.split(' ') ?? ['none']))
  })

  it('has the major version of Node and the release of Debian of the Dockerfile', () => {
    const debian = componentOf('Package: libc6\nVersion: 2\nArchitecture: arm64\n')
    const release = new URL(debian.purl).searchParams.get('distro')
    expect(instruction('FROM')).toBe(`node:${nodeVersion.split('.')[0]}-${release}-slim`)
  })

  it('lets its user write only to its volume and to /tmp', () => {
    const folders = systemEntries.filter(({ type }) => type === 'directory')
    expect(folders).toMatchObject([
      { path: 'tmp', mode: 0o1777 },
      { path: 'var/lib/tenant', owner: 65_532 },
    ])
  })

  it('runs its program with Node only, without a shell or env', () => {
    const main = withInterpreter(file('app/dist/cli/main.js', '#!/usr/bin/env node\nimport "a"\n'))
    expect(Buffer.from(main.content).toString()).toBe('#!/usr/local/bin/node\nimport "a"\n')
    expect(main.mode).toBe(0o755)
    expect(() => withInterpreter(file('main.js', 'import "a"\n'))).toThrow(
      'main.js does not begin with #!/usr/bin/env node',
    )
  })
})

describe('the arguments of npm run image', () => {
  const around = { version: '1.2.3', processor: 'x64', env: { XDG_CACHE_HOME: '/cache' } }

  it('select an image for this processor, named by its version', () => {
    expect(readImageOptions([], around)).toEqual({
      architecture: 'amd64',
      name: 'localhost/tenant-platform:1.2.3',
      output: 'dist-image/tenant-platform-1.2.3-amd64.tar',
      cache: '/cache/tenant-image',
    })
    expect(readImageOptions(['--arch', 'arm64', '--name', 'registry.example.com:5000/a/b:1'], around)).toMatchObject({
      architecture: 'arm64',
      name: 'registry.example.com:5000/a/b:1',
    })
  })

  it.each([
    [['--arch', 'x86'], '--arch takes amd64 or arm64, not "x86"'],
    [['--name', 'a'], '--name takes a name with a tag'],
    [['--name', 'a b:1'], '--name takes a name with a tag'],
    [['--docker'], "Unknown option '--docker'"],
  ])('are refused: %j', (args, message) => {
    expect(() => readImageOptions(args, around)).toThrow(message)
  })
})

describe('of packages the image has', () => {
  it.each([
    'lib/x86_64-linux-gnu/libc.so.6',
    'lib64/ld-linux-x86-64.so.2',
    'usr/lib/aarch64-linux-gnu/libstdc++.so.6.0.30',
    'usr/share/doc/libc6/copyright',
    'usr/lib/os-release',
    'usr/share/ca-certificates/mozilla/A.crt',
  ])('%s of Debian', (path) => {
    const entry = debianEntry({ name: `./${path}`, type: 'file', mode: 0o4755 }, Buffer.from('x'))
    expect(entry).toMatchObject({ path, mode: 0o755 })
  })

  it.each([
    'usr/lib/x86_64-linux-gnu/gconv/UTF-16.so',
    'usr/share/doc/libc6/changelog.gz',
    'usr/sbin/update-ca-certificates',
    'etc/issue',
  ])('not %s', (path) => {
    expect(debianEntry({ name: `./${path}`, type: 'file' }, Buffer.from('x'))).toBeUndefined()
  })

  it('links of Debian, but no other types of entries', () => {
    const link = { name: './usr/share/doc/libgcc-s1', type: 'symlink', linkname: 'gcc-12-base' }
    expect(debianEntry(link, Buffer.of())).toMatchObject({ type: 'symlink', target: 'gcc-12-base' })
    const device = { name: './lib/a.so', type: 'character-device' }
    expect(() => debianEntry(device, Buffer.of())).toThrow('lib/a.so is a character-device')
  })

  it.each([
    ['node_modules/lmdb/dist/index.cjs', true],
    ['node_modules/lmdb/LICENSE.md', true],
    ['node_modules/@lmdb/lmdb-linux-x64/node.napi.glibc.node', true],
    ['node_modules/@lmdb/lmdb-linux-x64/node.napi.musl.node', false],
    ['node_modules/@lmdb/lmdb-linux-x64/node.abi115.glibc.node', false],
    ['node_modules/lmdb/src/env.cpp', false],
    ['node_modules/@types/node/index.js', false],
    ['node_modules/.bin/acorn', false],
    ['node_modules/yaml/dist/index.js.map', false],
    ['node_modules/yaml/dist/index.d.ts', false],
    ['node_modules/yaml/README.md', false],
    ['node_modules/quickjs-wasi/quickjs.wasm', true],
  ])('%s: %s', (path, isIn) => {
    expect(isNeededFile(`app/${path}`)).toBe(isIn)
  })

  it('all certificates in one file, in the order of their names', () => {
    const bundle = certificateBundle([file('b.crt', 'B\n\n'), file('a.crt', 'A')])
    expect(Buffer.from(bundle.content).toString()).toBe('A\nB\n')
  })
})

describe('the bill of materials', () => {
  it('names each package once, with its version and license, in a stable order', () => {
    const components = [
      npmComponent('node_modules/b/node_modules/@s/a', { version: '1.0.0', license: 'MIT OR Apache-2.0' }),
      npmComponent('node_modules/@s/a', { version: '1.0.0', license: 'MIT OR Apache-2.0' }),
      componentOf('Package: libstdc++6\nVersion: 12.2.0-14+deb12u1\nArchitecture: arm64\n'),
    ]
    const product = npmComponent('node_modules/tenant-platform', { version: '0.1.0', license: 'Apache-2.0' })
    const bill = billOfMaterials({ product, components, createdSeconds: seconds })
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { timestamp: '2023-11-14T22:13:20.000Z', component: { name: 'tenant-platform' } },
      components: [
        {
          purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=arm64&distro=bookworm',
          licenses: [{ expression: 'GPL-3.0-or-later WITH GCC-exception-3.1' }],
        },
        { purl: 'pkg:npm/%40s/a@1.0.0', name: '@s/a', licenses: [{ expression: 'MIT OR Apache-2.0' }] },
      ],
    })
  })

  it('refuses a package of Debian with unknown license terms', () => {
    expect(() => componentOf('Package: bash\nVersion: 5\n')).toThrow('package "bash" are not known')
  })
})
