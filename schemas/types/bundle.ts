// Generated from schemas/records/bundle.schema.json by `npm run generate`. Do not edit.

/**
 * What is in a bundle: a report, the facts and the evidence that it follows from, and the hash of each file.
 */
export interface BundleManifest {
  format: 'assay-bundle'
  formatVersion: 1
  /**
   * name and version of what judged
   */
  suite: string
  /**
   * SHA-256 of the schemas, rules and suites that judged
   */
  suiteHash: string
  node: string
  seed: number
  /**
   * path in the bundle -> SHA-256 of the file, hexadecimal
   */
  files: {
    [k: string]: string
  }
  /**
   * SHA-256 of the JSON of all other fields
   */
  root: string
}
