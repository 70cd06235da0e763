// Imported before everything else: what is loaded first would make the nursery grow.
import { keepNurseries } from '../../proxy/nursery.ts'

if (process.argv[2] === 'record') keepNurseries()
