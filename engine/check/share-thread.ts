// One of the threads that judge a share of the rules beside the main one.
import { parentPort, workerData } from 'node:worker_threads'
import { judgeShare, type ShareJob } from './share.ts'

parentPort?.postMessage(await judgeShare(workerData as ShareJob))
