import { createHash } from 'node:crypto'
import { Semaphore } from '../../base/concurrency/semaphore.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { ServedFile } from '../contract.ts'

type Pieces = Steps<readonly Buffer[]>

/** What a document describes. `source` changes whenever it does. */
interface Subject {
  readonly source: object
}

interface KeptDocument {
  readonly sources: readonly object[]
  readonly file: ServedFile
}

/** Encoded documents by name, each kept until its subjects change. They are built in steps, and one at a time. */
export class KeptDocuments {
  readonly #kept = new Map<string, KeptDocument>()
  readonly #waiting = new Map<string, Promise<ServedFile>>()
  readonly #building = new Semaphore(1)

  /** Undefined if the document has not been built for these subjects. */
  find(name: string, subjects: readonly Subject[]): ServedFile | undefined {
    const found = this.#kept.get(name)
    return found !== undefined && isAbout(subjects, found.sources) ? found.file : undefined
  }

  async get<S extends Subject>(
    name: string,
    subjectsOf: () => readonly S[],
    piecesOf: (subjects: readonly S[]) => Pieces,
  ): Promise<ServedFile> {
    return this.find(name, subjectsOf()) ?? this.#build(name, subjectsOf, piecesOf)
  }

  async put(name: string, subjects: readonly Subject[], pieces: Pieces): Promise<ServedFile> {
    const file = await paced(encoded(pieces), new Pace())
    this.#kept.set(name, { sources: subjects.map(({ source }) => source), file })
    return file
  }

  /** Forgets the documents with the prefix that are not among these names. */
  forgetOthers(prefix: string, names: readonly string[]): void {
    const wanted = new Set(names)
    for (const name of this.#kept.keys()) if (name.startsWith(prefix) && !wanted.has(name)) this.#kept.delete(name)
  }

  /** Requests that arrive before building begins share the result, which describes what is served then. */
  #build<S extends Subject>(
    name: string,
    subjectsOf: () => readonly S[],
    piecesOf: (subjects: readonly S[]) => Pieces,
  ): Promise<ServedFile> {
    const found = this.#waiting.get(name)
    if (found !== undefined) return found
    let isBegun = false
    const file = this.#building.run(async () => {
      isBegun = true
      this.#waiting.delete(name)
      const subjects = subjectsOf()
      return this.find(name, subjects) ?? (await this.put(name, subjects, piecesOf(subjects)))
    })
    if (!isBegun) this.#waiting.set(name, file)
    return file
  }
}

function isAbout(subjects: readonly Subject[], sources: readonly object[]): boolean {
  return subjects.length === sources.length && subjects.every(({ source }, index) => source === sources[index])
}

/** Clients cache a document by its hash, which changes with its content. */
function* encoded(making: Pieces): Steps<ServedFile> {
  const pieces = yield* making
  const hashing = createHash('sha512')
  for (const piece of pieces) {
    hashing.update(piece)
    yield
  }
  const hash = hashing.digest('hex').toUpperCase()
  return { body: Buffer.concat(pieces), hash, etag: `"${hash}"` }
}
