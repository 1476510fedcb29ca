import { SetsByKey } from './sets-by-key.ts'

/** Subjects by a name of their owner and by their namespace: a namespaced owner has only those in its namespace. */
export class SubjectsByOwner {
  readonly #owners = new Map<string, SetsByKey>()

  /** The subjects in the namespace; all if it is empty. */
  of(owner: string, namespace: string): Iterable<string> {
    const subjects = this.#owners.get(owner)
    if (subjects === undefined) return []
    return namespace === '' ? subjects.all() : subjects.of(namespace)
  }

  has(owner: string, namespace: string): boolean {
    const subjects = this.#owners.get(owner)
    return subjects !== undefined && (namespace === '' || subjects.of(namespace).size > 0)
  }

  add(owner: string, namespace: string, subject: string): void {
    const subjects = this.#owners.get(owner) ?? new SetsByKey()
    subjects.add(namespace, subject)
    this.#owners.set(owner, subjects)
  }

  delete(owner: string, namespace: string, subject: string): void {
    const subjects = this.#owners.get(owner)
    subjects?.delete(namespace, subject)
    if (subjects?.isEmpty === true) this.#owners.delete(owner)
  }
}
