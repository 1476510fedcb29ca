/** Tracks which autoscalers count the same Pods: those of one namespace whose targets have the same selector. */
export class SharedSelectors {
  readonly #places = new Map<string, string>()
  readonly #sharing = new Map<string, Set<string>>()

  /** Returns all autoscalers that count these Pods, sorted by name. */
  note(autoscaler: string, namespace: string, selector: string): readonly string[] {
    const place = `${namespace}/${selector}`
    if (this.#places.get(autoscaler) !== place) {
      this.forget(autoscaler)
      this.#places.set(autoscaler, place)
      this.#sharing.set(place, (this.#sharing.get(place) ?? new Set<string>()).add(autoscaler))
    }
    return [...(this.#sharing.get(place) ?? [])].toSorted()
  }

  forget(autoscaler: string): void {
    const place = this.#places.get(autoscaler) ?? ''
    const sharing = this.#sharing.get(place)
    sharing?.delete(autoscaler)
    if (sharing?.size === 0) this.#sharing.delete(place)
    this.#places.delete(autoscaler)
  }
}
