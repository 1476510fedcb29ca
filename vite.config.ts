import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import builtinHttp from 'node:http'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { missingTexts, textsLicense } from './build/field-texts.ts'
import { joinedPackages, noticesOf } from './build/notices.ts'

const sources = resolve(import.meta.dirname, 'src')

/**
 * Joined files are no longer where they were written, and some locate others relative to themselves: the version, the
 * console, the sandbox's thread. They keep the URL of a separate file under dist/.
 */
function keepAddresses(): Plugin {
  return {
    name: 'keep addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(sources + sep) || !code.includes('import.meta.url')) return undefined
      const place = relative(sources, id).split(sep).join('/').replace(/\.ts$/, '.js')
      return { code: code.replaceAll('import.meta.url', `__addressOf(${JSON.stringify(place)})`), map: null }
    },
    renderChunk(code, { fileName }) {
      const from = (place: string) => relative(dirname(fileName), place).split(sep).join('/')
      const address = (_: string, place: string) => `new URL(${JSON.stringify(from(place))}, import.meta.url).href`
      return code.includes('__addressOf(')
        ? { code: code.replace(/__addressOf\("([^"]+)"\)/g, address), map: null }
        : null
    },
  }
}

const http = 'node:http'

/**
 * A module that imports `node:http` makes Node evaluate all its exports, and so load the client behind `WebSocket`: 4 %
 * of the processor time that a virtual cluster takes to start. This provides the same functions without it.
 */
function onlyWhatIsUsedOfHttp(): Plugin {
  const inside = `\0${http}`
  return {
    name: 'only what is used of http',
    enforce: 'pre',
    resolveId: (id) => (id === http ? inside : undefined),
    load: (id) => {
      if (id !== inside) return undefined
      const all = Object.entries(Object.getOwnPropertyDescriptors(builtinHttp))
      const names = all.filter(([, { get }]) => get === undefined).map(([name]) => name)
      return `export const { ${names.join(', ')} } = process.getBuiltinModule('${http}')`
    },
  }
}

/** Threads need their files unchanged: some files of the sandbox run in the guest rather than in the thread itself. */
function copyThreads(): Plugin {
  const places = [join('expression', 'sandbox'), join('sign-on', 'saml', 'thread')]
  return {
    name: 'copy threads',
    writeBundle: ({ dir = 'dist' }) => {
      for (const place of places)
        cpSync(join(sources, place), join(dir, place), { recursive: true, filter: (file) => !file.endsWith('.ts') })
    },
  }
}

/**
 * V8 holds the text of a file in two bytes per character if one of them needs it: 3 MB more of the largest file, and a
 * slower start. Escaped, all files are ASCII.
 */
function escapeWideCharacters(): Plugin {
  return {
    name: 'escape wide characters',
    generateBundle: {
      order: 'post',
      handler: (_, bundle) => {
        for (const each of Object.values(bundle)) if (each.type === 'chunk') each.code = asciiOf(each.code)
      },
    },
  }
}

function asciiOf(code: string): string {
  if (/String\.raw`[^`]*[^`\0-\x7f]/.test(code) || /\\[^\0-\x7f]/.test(code)) {
    throw new Error('A character above ASCII is where an escape would mean something else.')
  }
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The types of what can be imported: they have no dependencies. */
function copyTypes(): Plugin {
  return {
    name: 'copy types',
    writeBundle: ({ dir = 'dist' }) =>
      cpSync(join(sources, 'cluster', 'api-server', 'public-types.d.ts'), join(dir, 'testing.d.ts')),
  }
}

/** The texts of `kubectl explain` beyond our own, with their license. */
function writeFieldTexts(): Plugin {
  return {
    name: 'write field texts',
    writeBundle: ({ dir = 'dist' }) => {
      const folder = join(dir, 'server', 'openapi')
      mkdirSync(folder, { recursive: true })
      const texts = Object.fromEntries(missingTexts())
      writeFileSync(join(folder, 'field-texts.json'), JSON.stringify(texts))
      writeFileSync(join(folder, 'field-texts.LICENSE'), textsLicense())
    },
  }
}

/** The licenses of the packages that are joined with the program. */
function writeNotices(): Plugin {
  return {
    name: 'write notices',
    writeBundle: ({ dir = 'dist' }) => writeFileSync(join(dir, 'NOTICES'), noticesOf(joinedPackages)),
  }
}

/** The program in few files: finding and reading hundreds of them takes Node longer than running most commands. */
export default defineConfig({
  plugins: [
    keepAddresses(),
    onlyWhatIsUsedOfHttp(),
    escapeWideCharacters(),
    copyThreads(),
    copyTypes(),
    writeFieldTexts(),
    writeNotices(),
  ],
  ssr: { noExternal: [...joinedPackages] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        'cli/main': 'src/cli/main.ts',
        testing: 'src/cluster/api-server/testing.ts',
        'expression/compile': 'src/expression/compile.ts',
        'expression/engine': 'src/expression/engine.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name]-[hash].js',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})
