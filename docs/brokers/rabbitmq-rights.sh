#!/bin/sh
# Creates RabbitMQ users and topic permissions. The fleet is site1. RabbitMQ replaces the slash in MQTT topics
# with a dot.
# rabbitmq-rights.sh cart 7 <password>: a cart, which publishes its own topics and receives its own messages
# rabbitmq-rights.sh gateway 1 <password>: a gateway that commands the other carts; its own cart is 1
# rabbitmq-rights.sh policy: run once for the cluster
set -eu
base='cart\.v1\.site1'
ctl=${RABBITMQCTL:-rabbitmqctl}
kind=$1

if [ "$kind" = policy ]; then
  # A QoS 1 subscription belongs to the node on which it was created. If the node that owns a subscription is
  # down and no other node has a copy, the other nodes repeatedly disconnect the subscribed client.
  exec "$ctl" set_policy fleet '^mqtt-subscription-' '{"ha-mode":"all","ha-sync-mode":"automatic"}' --apply-to queues
fi

number=$2
user="$kind-$number"
publishes="$base\.$number\.(state|ack|connection|factsheet|visualization|sightings|alarm)"
reads="$base\.($number\.(state|ack|connection|command|heartbeat|instantActions|position)|_all\.(instantActions|command)|site\.plan)"
if [ "$kind" = gateway ]; then
  publishes="$publishes|$base\.[^.]+\.(command|heartbeat|instantActions|position)|$base\.site\.plan"
  # In permission checks, RabbitMQ represents the MQTT wildcard + as *.
  reads="$base\..*"
fi

"$ctl" add_user "$user" "$3"
# Permits access to MQTT subscription queues and to the exchange for all topics.
"$ctl" set_permissions "$user" '^mqtt-subscription-.*' '^(mqtt-subscription-.*|amq\.topic)$' '^(mqtt-subscription-.*|amq\.topic)$'
"$ctl" set_topic_permissions "$user" amq.topic "^($publishes)\$" "^($reads)\$"
