export interface MigrateStoreOptions {
  readonly from: string
  readonly to: string
}
