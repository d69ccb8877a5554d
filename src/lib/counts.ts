/** Counts things by name, for those who watch the service. */
export class Counts {
  byName = new Map<string, number>()

  add(name: string, count = 1) {
    this.byName.set(name, (this.byName.get(name) ?? 0) + count)
  }
}
