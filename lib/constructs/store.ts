import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge';

export interface StoreProps {
  /** Whether somebody listens to the objects written here. */
  readonly watched: boolean;
  /** Whether the bucket goes with its stack (on AWS only when it is empty). */
  readonly ephemeral: boolean;
  /**
   * Days after which objects are removed, for what can be made again. Such a store keeps no old versions.
   *
   * @default - objects stay, and overwritten versions for 90 days
   */
  readonly expireAfterDays?: number;
}

/** One bucket: private, encrypted, over TLS only. */
export class Store extends Construct {
  public readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { watched, ephemeral, expireAfterDays }: StoreProps) {
    super(scope, id);
    const lasting = expireAfterDays === undefined;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: lasting,
      lifecycleRules: [
        {
          id: lasting ? 'old-versions' : 'expiry',
          abortIncompleteMultipartUploadAfter: Duration.days(7),
          ...(lasting
            ? { noncurrentVersionExpiration: Duration.days(90) }
            : { expiration: Duration.days(expireAfterDays) }),
        },
      ],
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    if (watched) {
      // CDK's `eventBridgeEnabled` makes a custom resource with a function of its own for this one property.
      const bucket = this.bucket.node.defaultChild as CfnBucket;
      bucket.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    }
    acknowledge(this.bucket, {
      'AwsSolutions-S1':
        'Access logs would double every store by a bucket of logs; who read an object is answered by CloudTrail data events.',
    });
  }
}
